"""A script for GNU Backgammon (`gnubg -t -q -p`): it reads `ID die die plies` from a pipe and answers."""

import os

import gnubg

gnubg.command("set automatic game off")
gnubg.command("set player 0 human")
gnubg.command("set player 1 human")
gnubg.command("set jacoby off")
gnubg.command("new session")
cube, context = gnubg.cubeinfo(), gnubg.evalcontext()
context["cubeful"] = 0
cube["jacoby"] = 0
with open(os.environ["GNUBG_ASK"]) as ask, open(os.environ["GNUBG_TELL"], "w") as tell:
    for line in ask:
        position, first, second, plies = line.split()
        context["plies"] = int(plies)
        move = gnubg.findbestmove(gnubg.positionfromid(position), cube, context, (int(first), int(second)))
        tell.write(" ".join(map(str, move)) + "\n")
        tell.flush()

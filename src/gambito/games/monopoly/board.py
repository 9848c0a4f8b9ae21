"""The board of Monopoly: squares, deeds and cards as tables, and the numbers that a state is packed into.

Squares are numbered from 0, Go, to 39, Boardwalk. Deeds are the 28 squares that can be owned, in the order of
the board. A purse is one number for each player:

    bits 0-5    the square                 bits 11-15  how many deeds it owns
    bits 6-7    turns in jail, from 1      bits 16-    cash
    bits 8-9    jail cards: Chance, Chest
    bit 10      bankrupt

A deed has six bits: three for 1 + its owner, three for its houses (5: a hotel; 6: mortgaged). Ten deeds make
a number. It does not know the rules of a turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SQUARES = (
    "Go", "Mediterranean Avenue", "Community Chest 1", "Baltic Avenue", "Income Tax",
    "Reading Railroad", "Oriental Avenue", "Chance 1", "Vermont Avenue", "Connecticut Avenue",
    "Jail", "St. Charles Place", "Electric Company", "States Avenue", "Virginia Avenue",
    "Pennsylvania Railroad", "St. James Place", "Community Chest 2", "Tennessee Avenue", "New York Avenue",
    "Free Parking", "Kentucky Avenue", "Chance 2", "Indiana Avenue", "Illinois Avenue",
    "B. & O. Railroad", "Atlantic Avenue", "Ventnor Avenue", "Water Works", "Marvin Gardens",
    "Go To Jail", "Pacific Avenue", "North Carolina Avenue", "Community Chest 3", "Pennsylvania Avenue",
    "Short Line", "Chance 3", "Park Place", "Luxury Tax", "Boardwalk",
)  # fmt: skip
LABELS = (
    "Go", "Mediter.", "Chest", "Baltic", "Tax", "Reading", "Oriental", "Chance", "Vermont", "Connect.",
    "Jail", "Charles", "Electric", "States", "Virginia", "Penns.", "James", "Chest", "Tenn.", "N. York",
    "Parking", "Kent.", "Chance", "Indiana", "Illinois", "B. & O.", "Atlantic", "Ventnor", "Water", "Marvin",
    "To jail", "Pacific", "Carolina", "Chest", "Penns.", "Short L.", "Chance", "Park", "Tax", "Boardw.",
)  # fmt: skip
JAIL, GO_TO_JAIL = 10, 30
CHESTS, CHANCES = (2, 17, 33), (7, 22, 36)
INCOME_TAX_AT, INCOME_TAX, LUXURY_TAX_AT, LUXURY_TAX = 4, 200, 38, 100
RAILROAD, UTILITY = 8, 9  # groups; 0 to 7 are the colours
GROUP_NAMES = ("brown", "light blue", "pink", "orange", "red", "yellow", "green", "dark blue")
# Square, group, price, and rents: bare, with one to four houses, with a hotel.
_DEEDS = (
    (1, 0, 60, (2, 10, 30, 90, 160, 250)), (3, 0, 60, (4, 20, 60, 180, 320, 450)),
    (5, 8, 200, (25, 50, 100, 200)),
    (6, 1, 100, (6, 30, 90, 270, 400, 550)), (8, 1, 100, (6, 30, 90, 270, 400, 550)),
    (9, 1, 120, (8, 40, 100, 300, 450, 600)),
    (11, 2, 140, (10, 50, 150, 450, 625, 750)), (12, 9, 150, (4, 10)),
    (13, 2, 140, (10, 50, 150, 450, 625, 750)), (14, 2, 160, (12, 60, 180, 500, 700, 900)),
    (15, 8, 200, (25, 50, 100, 200)),
    (16, 3, 180, (14, 70, 200, 550, 750, 950)), (18, 3, 180, (14, 70, 200, 550, 750, 950)),
    (19, 3, 200, (16, 80, 220, 600, 800, 1000)),
    (21, 4, 220, (18, 90, 250, 700, 875, 1050)), (23, 4, 220, (18, 90, 250, 700, 875, 1050)),
    (24, 4, 240, (20, 100, 300, 750, 925, 1100)),
    (25, 8, 200, (25, 50, 100, 200)),
    (26, 5, 260, (22, 110, 330, 800, 975, 1150)), (27, 5, 260, (22, 110, 330, 800, 975, 1150)),
    (28, 9, 150, (4, 10)), (29, 5, 280, (24, 120, 360, 850, 1025, 1200)),
    (31, 6, 300, (26, 130, 390, 900, 1100, 1275)), (32, 6, 300, (26, 130, 390, 900, 1100, 1275)),
    (34, 6, 320, (28, 150, 450, 1000, 1200, 1400)),
    (35, 8, 200, (25, 50, 100, 200)),
    (37, 7, 350, (35, 175, 500, 1100, 1300, 1500)), (39, 7, 400, (50, 200, 600, 1400, 1700, 2000)),
)  # fmt: skip
DEEDS = len(_DEEDS)
SQUARE_OF = np.array([deed[0] for deed in _DEEDS], np.int64)
GROUP_OF = np.array([deed[1] for deed in _DEEDS], np.int64)
PRICE = np.array([deed[2] for deed in _DEEDS], np.int64)
RENT = np.array([(*deed[3], *[0] * (6 - len(deed[3]))) for deed in _DEEDS], np.int64)
DEED_AT = np.array([next((n for n, d in enumerate(_DEEDS) if d[0] == s), -1) for s in range(40)], np.int64)
GROUPS = 10
MEMBERS = np.array(
    [[*(n for n, d in enumerate(_DEEDS) if d[1] == g), *[-1] * 4][:4] for g in range(GROUPS)], np.int64
)  # the deeds of a group; -1: no more
SIZE = (MEMBERS >= 0).sum(axis=1)
HOUSE = np.array([50, 50, 100, 100, 150, 150, 200, 200, 0, 0], np.int64)  # the price of a house, by group

# Cards, each (kind, amount): what happens to the player who draws one.
GET, PAY, GET_EACH, PAY_EACH, REPAIRS, KEEP, GO_TO, BACK, TO_JAIL, TO_RAILROAD, TO_UTILITY = range(11)
CARDS = 16
CHANCE_CARDS = (
    (GO_TO, 39), (GO_TO, 0), (GO_TO, 24), (GO_TO, 11), (TO_RAILROAD, 0), (TO_RAILROAD, 0), (TO_UTILITY, 0),
    (GET, 50), (KEEP, 0), (BACK, 3), (TO_JAIL, 0), (REPAIRS, 25), (PAY, 15), (GO_TO, 5), (PAY_EACH, 50),
    (GET, 150),
)  # fmt: skip
CHEST_CARDS = (
    (GO_TO, 0), (GET, 200), (PAY, 50), (GET, 50), (KEEP, 0), (TO_JAIL, 0), (GET, 100), (GET, 20),
    (GET_EACH, 10), (GET, 100), (PAY, 100), (PAY, 50), (GET, 25), (REPAIRS, 40), (GET, 10), (GET, 100),
)  # fmt: skip
CARD = np.array([CHANCE_CARDS, CHEST_CARDS], np.int64)  # by deck, card: kind, amount
HOTEL_REPAIRS = np.array([100, 115], np.int64)  # by deck
CARD_NAMES = (
    ("Advance to Boardwalk", "Advance to Go", "Advance to Illinois Avenue", "Advance to St. Charles Place",
     "Advance to the next railroad", "Advance to the next railroad", "Advance to the next utility",
     "Dividend of 50", "Get out of jail free", "Go back 3 squares", "Go to jail", "General repairs",
     "Speeding fine 15", "Take a trip to Reading Railroad", "Pay each player 50", "Building loan 150"),
    ("Advance to Go", "Bank error 200", "Doctor's fee 50", "Sale of stock 50", "Get out of jail free",
     "Go to jail", "Holiday fund 100", "Tax refund 20", "Birthday: 10 from each player",
     "Life insurance 100", "Hospital fees 100", "School fees 50", "Consultancy fee 25", "Street repairs",
     "Beauty contest 10", "Inheritance 100"),
)  # fmt: skip

MOST_PLAYERS = 6
WAGE, BAIL = 200, 50
HOUSES, HOTELS = 32, 12
HOTEL, MORTGAGED = 5, 6
BANK, EVERYBODY = 7, 6  # creditors that are no player
AT, IN_JAIL, HELD, OUT, OWNED, CASH = 0, 6, 8, 10, 11, 16  # where the parts of a purse begin
DEED, WORD = 6, 10  # bits of a deed, deeds of a number
STOCK = HOUSES | HOTELS << 6

# What is to be decided, and by whom.
TURN, ROLL, DRAW_CHANCE, DRAW_CHEST, THROW, BUY, AUCTION, DEBT, OFFER, OVER = range(10)
ARRIVE, SETTLE, SOLD = 10, 11, 12  # steps within an action, which no state shows
PHASES = ("turn", "roll", "chance", "chest", "throw", "buy", "auction", "debt", "offer", "over")
# Actions.
GO_ON, PAY_BAIL, USE_CARD, TAKE, DECLINE = 0, 1, 2, 3, 4
BIDS = (10, 50, 100)  # how much a bid is above the last one: actions 8, 9 and 10
BID = 8
BUILD, SELL, MORTGAGE, LIFT = 32, 64, 96, 128  # plus the deed
PROPOSE = 1024  # plus 32 times the deed that is wanted, plus the deed that is given or CASHES and its place
CASHES = 28
MULTIPLES = (1, 2, 3, 4)  # of the price, that may be offered for a deed


class State(NamedTuple):
    """The purses, the deeds, and where the turn stands."""

    purse_0: int
    purse_1: int
    purse_2: int
    purse_3: int
    purse_4: int
    purse_5: int
    deeds_0: int
    deeds_1: int
    deeds_2: int
    stock: int  # houses and, from bit 6, hotels that the bank has
    debt: int  # the amount; from bit 20 the creditor; from bit 24 the players who owe it
    sale: int  # deeds to be auctioned; from bit 28 the bid, 48 the bidder, 51 who may bid, 57 who is next
    offer: int  # 1 + deed wanted, from bit 5 what is given; bit 10: an offer was made in this turn
    mover: int
    phase: int
    dice: int  # the sum of the last roll, and 16 for doubles
    doubles: int  # in a row
    fate: int  # what follows a debt: 0 the end of the roll, 1 the move by the dice, out of jail
    rolls: int  # of all players
    left: int  # players who are not bankrupt

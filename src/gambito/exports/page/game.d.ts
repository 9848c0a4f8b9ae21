/** A position: plain bytes, which only this game reads. */
export type Position = Uint8Array;

export type ErrorCode =
  | "illegal" | "strange" | "over" | "raised" | "gave-up" | "unknown" | "busy" | "text";

export declare class GameError extends Error {
  readonly code: ErrorCode;
}

export interface Limits {
  /** The algorithm, one of `game.algorithms`; by default the first. */
  algorithm?: string;
  /** The depth in plies. */
  depth?: number;
  /** The most positions that are visited. */
  nodes?: number;
  milliseconds?: number;
  /** The seed of random numbers: the same seed gives the same answer. */
  seed?: number;
  /** Forget what earlier searches have learned. */
  forget?: boolean;
  /** Play at the strength of a level, from 1 to `game.levels.length`. */
  level?: number;
}

export interface Found {
  algorithm: string;
  action: number | null;
  /** The moves that are best for both, from this position on. */
  line: number[];
  /** The value for the player to move. */
  value: number;
  depth: number;
  nodes: number;
  /** Was the game searched to its end in all lines? */
  proven: boolean;
  /** Plies to a forced end, if the search has found one. */
  endsIn: number | null;
  /** With max-n, the values of all players. */
  values: number[] | null;
  /** With mcts, the actions with their simulations and values. */
  candidates: { action: number; visits: number; value: number }[];
}

export interface Move {
  action: number;
  name: string;
  /** The cells that a person touches. */
  touch: number[];
}

export declare class Game {
  readonly title: string;
  readonly players: number;
  readonly sides: string[];
  readonly algorithms: string[];
  readonly levels: string[];
  start(): Position;
  actions(position: Position): number[];
  moves(position: Position): Move[];
  outcomes(position: Position): { outcome: number; name: string; probability: number }[];
  roll(position: Position, random?: () => number): number;
  play(position: Position, action: number): Position;
  isOver(position: Position): boolean;
  /** 0, 1 …; -1: dice or cards decide. */
  mover(position: Position): number;
  utility(position: Position, player: number): number;
  key(position: Position): bigint;
  cells(position: Position): number[];
  read(position: Position, text: string): number;
  write(position: Position, action: number): string;
  parse(text: string): Position;
  text(actions: number[]): string;
  /** Search in a worker. */
  search(position: Position, options?: Limits & { progress?: (found: Found) => void }): Promise<Found | null>;
  /** Search in this thread. */
  searchNow(position: Position, options?: Limits): Found;
  hint(position: Position, options?: Limits): Promise<number | null>;
  stop(): void;
  close(): void;
}

export declare function load(options?: { at?: string | URL }): Promise<Game>;

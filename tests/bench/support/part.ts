import type { BenchShop, ShopOptions } from './shops.ts'

export const KB = 1024

/** How many documents the largest measured catalogues have. */
export const LARGE_CATALOGUE = 100_000

/** One line of the results: a measured value, and the goal for it. */
export interface Row {
  /** The goal's name, such as `P5`; `–` for a value that others are compared with. */
  readonly id: string
  readonly what: string
  readonly value: number
  /** Printed after the value: `KB`, `ms`, `×`. */
  readonly unit: string
  /** The goal: the value is at most this. */
  readonly most?: number
  /** The goal: the value is at least this. */
  readonly least?: number
  /** What it was compared with, or why the goal is missed. */
  readonly note?: string
}

type Goal = Pick<Row, 'most' | 'least'> & { unit?: string }

/** One line of the results with its goal, such as `{ most: 8, unit: 'KB' }`. */
export function row(id: string, what: string, value: number, goal: Goal, note?: string): Row {
  return { id, what, value, unit: '', ...goal, ...(note && { note }) }
}

/** What a part measures with. Everything it opens is closed when the part ends. */
export interface Bench {
  /** The directory of the measured checkout. */
  readonly tree: string
  /** Whether catalogues of `LARGE_CATALOGUE` documents are measured too. */
  readonly isLarge: boolean
  /** How often a value is measured of which the median is reported. */
  readonly rounds: number
  /** Opens a shop in its own process, on a free port. */
  openShop(options?: ShopOptions): Promise<BenchShop>
  /** Calls `close` when the part ends, the latest first. */
  onEnd(close: () => Promise<unknown>): void
  /** Prints a line about progress. */
  log(line: string): void
}

/** The function that each part's file exports as `rows`. */
export type Part = (bench: Bench) => Promise<Row[]>

/** Whether a row meets its goal: `met`, or by how much it is missed; empty without a goal. */
export function verdict({ value, most, least }: Row): string {
  if (!Number.isFinite(value)) return 'not measured'
  const missed = (share: number) => `missed by ${Math.max(1, Math.round(share * 100))} %`
  if (most !== undefined && value > most) return missed((value - most) / (most || 1))
  if (least !== undefined && value < least) return missed((least - value) / least)
  return most === undefined && least === undefined ? '' : 'met'
}

/** A value as it is printed, with its unit: the larger it is, the fewer decimals. */
export function figure(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–'
  const digits =
    Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 4
  const number = Number(value.toFixed(digits)).toLocaleString('en-US', {
    maximumFractionDigits: digits,
  })
  return unit ? `${number} ${unit}` : number
}

/** The goal of a row, such as `≤ 55 KB`; empty without one. */
export function goalOf({ most, least, unit }: Row): string {
  if (most !== undefined) return `≤ ${figure(most, unit)}`
  return least === undefined ? '' : `≥ ${figure(least, unit)}`
}

import type { BenchShop, ShopWish } from './shops.ts'

/** One line of the results: what was measured, and what the shop promises of it. */
export interface Row {
  /** The goal's name, such as `P5`; `–` for what stands there to compare with. */
  readonly id: string
  readonly what: string
  readonly value: number
  /** As it is printed after the value: `KB`, `ms`, `×`. */
  readonly unit: string
  /** The goal: the value is at most that. */
  readonly most?: number
  /** The goal: the value is at least that. */
  readonly least?: number
  /** What it was measured beside, or why it is missed. */
  readonly note?: string
}

/** What a part measures with. Whatever it opened is closed when the part ends. */
export interface Bench {
  /** The directory of the code that is measured. */
  readonly tree: string
  /** Whether catalogues of 100 000 documents are measured as well. */
  readonly isLarge: boolean
  /** How often a figure with a median is taken. */
  readonly rounds: number
  /** Opens a shop in a process of its own, on a free port. */
  openShop(wish?: ShopWish): Promise<BenchShop>
  /** Runs when the part ends, latest first. */
  onEnd(close: () => Promise<unknown>): void
  /** Prints what is being done. */
  say(line: string): void
}

/** What every file of a part exports as `rows`. */
export type Part = (bench: Bench) => Promise<Row[]>

/** How a row did: `met`, or by how much it is missed; empty where nothing is promised. */
export function verdict({ value, most, least }: Row): string {
  if (!Number.isFinite(value)) return 'not measured'
  const missed = (share: number) => `missed by ${Math.max(1, Math.round(share * 100))} %`
  if (most !== undefined && value > most) return missed((value - most) / (most || 1))
  if (least !== undefined && value < least) return missed((least - value) / least)
  return most === undefined && least === undefined ? '' : 'met'
}

/** A figure as it is read: three digits that count. */
export function figure(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–'
  const digits =
    Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 4
  const number = Number(value.toFixed(digits)).toLocaleString('en-US', {
    maximumFractionDigits: digits,
  })
  return unit ? `${number} ${unit}` : number
}

/** The goal of a row, as it is read. */
export function goalOf({ most, least, unit }: Row): string {
  if (most !== undefined) return `≤ ${figure(most, unit)}`
  return least === undefined ? '' : `≥ ${figure(least, unit)}`
}

/** The middle of some values; of an even number of them the lower one. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The value that this share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

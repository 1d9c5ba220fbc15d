/** Which way a paragraph runs. */
export type Direction = 'rtl' | 'ltr'

/** A stretch of one line that one font draws, in reading order. */
export interface Piece {
  readonly text: string
  readonly script: 'arabic' | 'latin'
}

const ISOLATE = '\u2066'
const END_ISOLATE = '\u2069'

/** Keeps a formula left to right (U+2066 … U+2069) and on one line inside Arabic text. */
export function formula(text: string): string {
  return `${ISOLATE}${text.replaceAll(' ', '\u00a0')}${END_ISOLATE}`
}

/** Which way a text runs by its first letter; `otherwise` when it has none. */
export function directionOf(text: string, otherwise: Direction): Direction {
  const letter = /\p{L}/u.exec(text.replace(/\u2066[^\u2069]*\u2069/g, ''))?.[0]
  if (!letter) return otherwise
  return kindOf(letter) === 'R' ? 'rtl' : 'ltr'
}

type Kind = 'R' | 'L' | 'EN' | 'separator' | 'mark' | 'neutral'

function kindOf(char: string): Kind {
  if (/\p{M}/u.test(char)) return 'mark'
  if (/\d/.test(char)) return 'EN'
  if (/[\p{Script=Arabic}،؛؟]/u.test(char)) return 'R'
  if (/\p{L}/u.test(char)) return 'L'
  return /[.,:/]/.test(char) ? 'separator' : 'neutral'
}

/** The text without isolates, and each character's embedding level (UAX 9, the parts used here). */
export function embeddingLevels(
  text: string,
  direction: Direction,
): { chars: string[]; levels: number[] } {
  const base = direction === 'rtl' ? 1 : 0
  const leftToRight = base === 1 ? 2 : 0
  const chars: string[] = []
  const kinds: Kind[] = []
  const isolated: boolean[] = []
  let inside = false
  for (const char of text) {
    if (char === ISOLATE || char === END_ISOLATE) {
      inside = char === ISOLATE
      continue
    }
    chars.push(char)
    kinds.push(inside ? 'L' : kindOf(char))
    isolated.push(inside)
  }
  resolveNumbers(kinds, base === 1 ? 'R' : 'L')
  const levels = kinds.map((kind, at) => {
    if (isolated[at] || kind === 'L') return leftToRight
    if (kind === 'EN') return 2
    return kind === 'R' ? 1 : UNRESOLVED
  })
  // A number counts as right-to-left for the neutrals beside it.
  const sides = kinds.map((kind) => (kind === 'L' ? 0 : 1))
  return { chars, levels: fillNeutrals(levels, sides, base) }
}

const UNRESOLVED = -1

/** W1 to W7: marks follow their letter, `12.5` is one number, digits after Latin are Latin. */
function resolveNumbers(kinds: Kind[], base: 'R' | 'L'): void {
  let strong: 'R' | 'L' = base
  for (let at = 0; at < kinds.length; at++) {
    const kind = kinds[at]
    if (kind === 'mark') kinds[at] = kinds[at - 1] ?? 'neutral'
    if (kind === 'separator') {
      kinds[at] = kinds[at - 1] === 'EN' && kinds[at + 1] === 'EN' ? 'EN' : 'neutral'
    }
    if (kind === 'R' || kind === 'L') strong = kind
    if (kinds[at] === 'EN' && strong === 'L') kinds[at] = 'L'
  }
}

/** N1 and N2: neutrals between two of one direction take it, others the paragraph's. */
function fillNeutrals(levels: number[], sides: number[], base: number): number[] {
  const filled = [...levels]
  for (let start = 0; start < levels.length; start++) {
    if (levels[start] !== UNRESOLVED) continue
    let end = start
    while (end < levels.length && levels[end] === UNRESOLVED) end++
    const before = start === 0 ? base : sides[start - 1]
    const after = end === levels.length ? base : sides[end]
    const resolved = before === after ? before : base
    filled.fill(resolved === 1 ? 1 : base === 1 ? 2 : 0, start, end)
    start = end - 1
  }
  return filled
}

const MIRRORED: Record<string, string> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '«': '»',
  '»': '«',
  '<': '>',
  '>': '<',
}

/** One line's pieces from left to right: reordered (L2), mirrored (L4), split by font. */
export function visualPieces(chars: readonly string[], levels: readonly number[]): Piece[] {
  const order = chars.map((_, at) => at)
  const highest = Math.max(0, ...levels)
  for (let level = highest; level > 0; level--) reverseRuns(order, levels, level)

  const pieces: { text: string; script: Piece['script']; level: number; last: number }[] = []
  for (const at of order) {
    const level = levels[at] ?? 0
    const odd = level % 2 === 1
    const own = chars[at] ?? ''
    const char = odd ? (MIRRORED[own] ?? own) : own
    const script = kindOf(own) === 'R' || /[\u064b-\u0670]/.test(own) ? 'arabic' : 'latin'
    const piece = pieces.at(-1)
    const follows = piece && Math.abs(piece.last - at) === 1 && own !== ' ' && piece.text !== ' '
    if (follows && piece.level === level && piece.script === script) {
      // A shaped Arabic piece is given to the font in reading order.
      piece.text = odd && script === 'arabic' ? char + piece.text : piece.text + char
      piece.last = at
    } else {
      pieces.push({ text: char, script, level, last: at })
    }
  }
  return pieces.map(({ text, script }) => ({ text, script }))
}

function reverseRuns(order: number[], levels: readonly number[], level: number): void {
  for (let start = 0; start < order.length; start++) {
    if ((levels[order[start] ?? 0] ?? 0) < level) continue
    let end = start
    while (end < order.length && (levels[order[end] ?? 0] ?? 0) >= level) end++
    const run = order.slice(start, end).reverse()
    order.splice(start, run.length, ...run)
    start = end
  }
}

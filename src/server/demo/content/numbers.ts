/** A number as it is printed: the minus sign of mathematics, at most `decimals` decimals. */
export function shown(value: number, decimals = 2): string {
  return String(Number(value.toFixed(decimals))).replace('-', '−')
}

/** `+ 3` or `− 3`, for the middle of an expression. */
export function plus(value: number): string {
  return value < 0 ? `− ${-value}` : `+ ${value}`
}

/** `x`, `−x` or `3x`. */
export function times(factor: number, name: string): string {
  if (factor === 1) return name
  return factor === -1 ? `−${name}` : `${shown(factor)}${name}`
}

/** The greatest common divisor of two whole numbers, not both 0. */
export function commonDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : commonDivisor(b, a % b)
}

/** `a/b` in lowest terms, without a denominator of 1. */
export function fraction(a: number, b: number): string {
  const divisor = commonDivisor(a, b)
  const [top, bottom] = [a / divisor, b / divisor]
  return bottom === 1 ? shown(top) : `${shown(top)}/${bottom}`
}

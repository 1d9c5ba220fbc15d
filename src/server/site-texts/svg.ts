/** The most elements of a drawing, and how deep they may lie in each other. */
const ELEMENTS_MAX = 500
const DEPTH_MAX = 30

const NUMBER = /^[-+\d.eE]+(?:px)?$/
const NUMBERS = /^[-+\d.eE,\s]+$/
const COLOUR = /^(?:#[\da-f]{3,8}|[a-z]{3,24}|rgba?\([\d\s.,%]+\))$/i
const WORD = /^[a-z-]{3,12}$/

/** The values that each attribute may have in the new drawing; everything else of an element is left out. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  d: /^[-+\d.,\sMmZzLlHhVvCcSsQqTtAaeE]+$/,
  points: NUMBERS,
  transform: /^[-+\d.,\s()a-zXYE]+$/,
  ...named(NUMBER, 'x y width height rx ry cx cy r x1 y1 x2 y2'),
  ...named(COLOUR, 'fill stroke'),
  ...named(
    NUMBER,
    'opacity fill-opacity stroke-opacity stroke-width stroke-miterlimit stroke-dashoffset',
  ),
  'stroke-dasharray': NUMBERS,
  ...named(WORD, 'fill-rule clip-rule stroke-linecap stroke-linejoin'),
}

/** What the root may hand down to its shapes. */
const INHERITED = ['fill', 'stroke', 'stroke-width', 'fill-rule']

/** What draws, and the group. */
const SHAPES = new Set(['g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'])

/** What editors leave in a file, and what changes nothing of its look: left out with its content. */
const LEFT_OUT = new Set(['title', 'desc', 'metadata'])

/** Properties that draw in a way that shapes alone do not. */
const TOO_RICH = /^(?:clip-path|mask|filter|marker(?:-.*)?|.*href|on.*)$/

/** Why a drawing is refused. */
export type DrawingFault = 'not_a_logo' | 'logo_too_large'

/** A new drawing, in which nothing of the old one is but shapes whose every attribute was read. */
export interface Drawing {
  readonly svg: string
  /** In the units of the drawing. */
  readonly width: number
  readonly height: number
}

type Attributes = ReadonlyMap<string, string>

/**
 * Reads an SVG of plain shapes and writes it anew. Anything that could run, load, or stand for
 * something else (scripts, styles, pictures, text, gradients, links, entities) refuses the file: it
 * would look otherwise without it. Takes time that grows no faster than the text.
 */
export function redrawnSvg(text: string): Drawing | DrawingFault {
  const open: string[] = []
  const out: string[] = []
  let root: Attributes | undefined
  let at = 0
  let elements = 0
  /** How many levels deep what is left out lies. */
  let hidden = 0
  for (;;) {
    const start = text.indexOf('<', at)
    if (start < 0) break
    // Entities and sections would have to be read as XML does: nothing needs them.
    const between = text.slice(at, start)
    if (hidden === 0 && between.replace(/^\uFEFF/, '').trim() !== '') return 'not_a_logo'
    const skipped = skip(text, start)
    if (skipped !== null) {
      if (skipped < 0) return 'not_a_logo'
      at = skipped
      continue
    }
    const end = text.indexOf('>', start)
    if (end < 0) return 'not_a_logo'
    const tag = text.slice(start + 1, end)
    at = end + 1
    if (tag.startsWith('/')) {
      if (open.pop() !== tag.slice(1).trim()) return 'not_a_logo'
      if (hidden > 0) hidden -= 1
      else if (open.length > 0) out.push('</g>')
      else break
      continue
    }
    const isClosed = tag.endsWith('/')
    const read = readTag(isClosed ? tag.slice(0, -1) : tag)
    if (!read) return 'not_a_logo'
    const { name, attributes } = read
    elements += 1
    if (elements > ELEMENTS_MAX || open.length >= DEPTH_MAX) return 'logo_too_large'
    if (!root) {
      if (name !== 'svg' || isClosed) return 'not_a_logo'
      root = attributes
      open.push(name)
      const plain = plainAttributes(attributes, INHERITED)
      if (plain === null) return 'not_a_logo'
      out.push(plain)
      continue
    }
    const isLeftOut = hidden > 0 || LEFT_OUT.has(name) || name.includes(':')
    const isEmptyList = name === 'defs' && isClosed
    if (!isLeftOut && !isEmptyList) {
      if (!SHAPES.has(name)) return 'not_a_logo'
      const plain = plainAttributes(attributes)
      if (plain === null) return 'not_a_logo'
      // A shape has no content but a title, which is left out: it is closed at once.
      if (name === 'g') out.push(isClosed ? '' : `<g${plain}>`)
      else out.push(`<${name}${plain}/>`)
      if (name !== 'g' && !isClosed) {
        hidden = 1
        open.push(name)
        continue
      }
    }
    if (isClosed) continue
    open.push(name)
    if (isLeftOut) hidden += 1
  }
  if (!root || open.length > 0) return 'not_a_logo'
  const box = boxOf(root)
  if (!box) return 'not_a_logo'
  const [inherited = '', ...shapes] = out
  const [x, y, width, height] = box
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}"${inherited}>${shapes.join('')}</svg>`
  return { svg, width, height }
}

/**
 * Where a comment, declaration or type ends that begins at `start`; negative for one that is not
 * accepted, null for an element.
 */
function skip(text: string, start: number): number | null {
  const after = (end: string) => {
    const found = text.indexOf(end, start)
    return found < 0 ? -1 : found + end.length
  }
  if (text.startsWith('<!--', start)) return after('-->')
  if (text.startsWith('<?xml ', start)) return after('?>')
  if (!/^<[!?]/.test(text.slice(start, start + 2))) return null
  const end = after('>')
  // A type without declarations of its own says nothing.
  return /^<!DOCTYPE svg [^[<]*>$/.test(text.slice(start, Math.max(start, end))) ? end : -1
}

function readTag(tag: string): { name: string; attributes: Attributes } | null {
  const [name] = /^[A-Za-z][\w:.-]*/.exec(tag) ?? []
  if (!name) return null
  const attributes = new Map<string, string>()
  const attribute = /\s+([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
  let at = name.length
  while (tag.slice(at).trim() !== '') {
    attribute.lastIndex = at
    const [, key = '', double, single] = attribute.exec(tag) ?? []
    if (attribute.lastIndex === 0 || attributes.has(key)) return null
    attributes.set(key, double ?? single ?? '')
    at = attribute.lastIndex
  }
  return { name, attributes }
}

/** The attributes that may stay; null if one draws what shapes alone do not. */
function plainAttributes(
  attributes: Attributes,
  only: readonly string[] = Object.keys(ATTRIBUTES),
): string | null {
  const all = new Map(attributes)
  for (const part of (attributes.get('style') ?? '').split(';')) {
    const [property = '', value = ''] = part.split(':')
    if (property.trim()) all.set(property.trim(), value.trim())
  }
  const kept: string[] = []
  for (const [name, value] of all) {
    const pattern = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined
    if (TOO_RICH.test(name) && value !== 'none') return null
    if (!pattern || !only.includes(name) || (name === 'stroke-dasharray' && value === 'none'))
      continue
    const isPlain = pattern.test(value.trim()) && isKnownTransform(name, value)
    if (!isPlain) return null
    kept.push(` ${name}="${value.trim()}"`)
  }
  return kept.join('')
}

const TRANSFORMS = new Set(['matrix', 'translate', 'scale', 'rotate', 'skewX', 'skewY'])

function isKnownTransform(name: string, value: string): boolean {
  if (name !== 'transform') return true
  return value.split(/[^A-Za-z]+/).every((word) => word.length < 2 || TRANSFORMS.has(word))
}

/** The box of the drawing: its `viewBox` or, without one, its size. */
function boxOf(root: Attributes): readonly [number, number, number, number] | null {
  const given = root
    .get('viewBox')
    ?.trim()
    .split(/[\s,]+/)
    .map(Number) ?? [
    0,
    0,
    ...['width', 'height'].map((name) => Number((root.get(name) ?? '').replace(/px$/, ''))),
  ]
  const [x = 0, y = 0, width = 0, height = 0] = given
  const isBox = given.length === 4 && given.every((one) => Math.abs(one) < 100_000)
  // A line is no logo: its other side would be cut to nothing.
  const isShown = width > 0 && height > 0 && width / height <= 20 && height / width <= 20
  return isBox && isShown ? [x, y, width, height] : null
}

function named(pattern: RegExp, names: string): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map((name) => [name, pattern]))
}

import { readFile } from 'node:fs/promises'

const STYLES = new URL('../../styles/', import.meta.url)

/** The colours of a document's cover, as the pages draw it. */
export interface CoverColors {
  readonly label: string
  readonly ink: string
  /** The bound edge. */
  readonly cloth: string
  readonly frame: string
  readonly line: string
  /** The cover of a subject; another's where it has none of its own. */
  of(subjectCode: string | null): string
}

/** Reads the colours from the style sheets, where alone they stand. Throws where one is missing. */
export async function readCoverColors(): Promise<CoverColors> {
  const [tokens, cover] = await Promise.all(
    ['tokens.css', 'cover.css'].map((name) => readFile(new URL(name, STYLES), 'utf8')),
  )
  const onCover = (selector: string, property: string) => colorIn(cover ?? '', selector, property)
  const other = must(onCover('.cover', '--cover'), '--cover')
  return {
    label: must(colorIn(tokens ?? '', ':root', '--label'), '--label'),
    ink: must(colorIn(tokens ?? '', ':root', '--label-ink'), '--label-ink'),
    cloth: must(onCover('.cover::before', 'background'), 'cloth'),
    frame: must(onCover('.cover__label', 'outline'), 'frame'),
    line: must(onCover('.cover__line', 'border-block-end'), 'line'),
    of: (code) => (code && onCover(`.subject-${code}`, '--cover')) || other,
  }
}

/** The colour in a declaration of the first rule with that selector; null when there is none. */
function colorIn(css: string, selector: string, property: string): string | null {
  for (const [, selectors = '', body = ''] of css
    .replace(/\/\*.*?\*\//gs, '')
    .matchAll(/([^{};]+)\{([^{}]*)\}/g)) {
    const isOfIt = selectors.split(',').some((each) => each.trim() === selector)
    if (!isOfIt) continue
    for (const declaration of body.split(';')) {
      const [name, value = ''] = declaration.split(/:(.*)/s).map((part) => part.trim())
      if (name === property) return /#[0-9a-f]{6}|rgb\([^)]*\)/.exec(value)?.[0] ?? null
    }
  }
  return null
}

function must(color: string | null, name: string): string {
  if (color === null) throw new Error(`the style sheets have no colour ${name}`)
  return color
}

import { readFile } from 'node:fs/promises'

const TOKENS = new URL('../../styles/tokens.css', import.meta.url)
const COVERS = new URL('../../islands/parts/cover.css', import.meta.url)

/**
 * The rules that assign cloths to subjects:
 * `.subject-a, .subject-b { --cover: var(--cloth-c); … }`.
 */
const SUBJECTS = /((?:\.subject-[\w-]+[,\s]*)+)\{\s*--cover: var\((--[\w-]+)\);/g

/** The colours of a document's cover, as the pages draw it in the light scheme. */
export interface CoverColors {
  readonly label: string
  readonly ink: string
  /** The fold of the bound edge. */
  readonly fold: string
  readonly edge: string
  readonly line: string
  /** The colour of a subject's cover; sand if it has no colour of its own. */
  of(subjectCode: string | null): string
}

/** Reads the colours from the style sheets, their only source. Throws if one is missing. */
export async function readCoverColors(): Promise<CoverColors> {
  const [tokens, covers] = await Promise.all([readFile(TOKENS, 'utf8'), readFile(COVERS, 'utf8')])
  const color = (name: string) => {
    // The first match belongs to the light scheme.
    const found = new RegExp(`${name}: ([^;]+);`).exec(tokens)?.[1]
    if (!found) throw new Error(`tokens.css has no colour ${name}`)
    return found
  }
  const cloths = new Map<string, string>()
  for (const [, selectors = '', cloth = ''] of covers.matchAll(SUBJECTS)) {
    for (const [, code = ''] of selectors.matchAll(/\.subject-([\w-]+)/g)) {
      cloths.set(code, color(cloth))
    }
  }
  const sand = color('--cloth-sand')
  return {
    label: color('--label'),
    ink: color('--label-ink'),
    fold: color('--fold'),
    edge: color('--label-edge'),
    line: color('--label-line'),
    of: (code) => cloths.get(code ?? '') ?? sand,
  }
}

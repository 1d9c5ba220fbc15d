import type { Trimester } from '../../../rules/papers.ts'
import type { FiledDocuments } from '../../deps.ts'
import type { CatalogueIndex } from './catalogue-index.ts'

const COUNTED = [
  'niveauId',
  'matiereId',
  'categoryId',
  'paperKind',
  'paperNumber',
  'trimester',
  'withCorrection',
] as const

/** Creates a function that counts an index, once until it changes. */
export function keepFiled(): (index: CatalogueIndex) => readonly FiledDocuments[] {
  let kept: { of: CatalogueIndex; version: number; counts: readonly FiledDocuments[] } | undefined
  return (index) => {
    const version = index.version()
    if (kept?.of !== index || kept.version !== version) {
      kept = { of: index, version, counts: countFiled(index) }
    }
    return kept.counts
  }
}

function countFiled(index: CatalogueIndex): FiledDocuments[] {
  const columns = index.columns()
  const counts = new Map<string, number>()
  for (let slot = 0; slot < index.size(); slot++) {
    if (columns.alive[slot] === 0) continue
    const codes = COUNTED.map((name) => columns[name][slot])
    const key = [...codes, index.chaptersOf(slot).join('+')].join(' ')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, documents]) => {
    const codes = key.split(' ')
    const chapters = codes.pop() ?? ''
    const [niveauId, matiereId, categoryId, paperKind, paperNumber, trimester, corrected] = codes
      .map((code, at) => index.values[COUNTED[at] as (typeof COUNTED)[number]].values[Number(code)])
      .map((value) => (value === '' ? null : value))
    return {
      niveauId: Number(niveauId),
      matiereId: Number(matiereId),
      categoryId: Number(categoryId),
      paperKind: paperKind as string | null,
      paperNumber: paperNumber as number | null,
      trimester: trimester as Trimester | null,
      isCorrected: corrected !== null,
      chapterIds: chapters === '' ? [] : chapters.split('+').map(Number),
      documents,
    }
  })
}

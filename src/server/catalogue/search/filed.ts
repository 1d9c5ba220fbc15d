import type { PaperKind, Trimester } from '../../../rules/papers.ts'
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
  const values = COUNTED.map((name) => index.values[name].values)
  // A document's values as the digits of one number: 10¹¹ of them at most, with the longest lists.
  const counts = new Map<number, number>()
  for (let slot = 0; slot < index.size(); slot++) {
    if (columns.alive[slot] === 0) continue
    let key = 0
    for (let at = 0; at < COUNTED.length; at++) {
      const name = COUNTED[at] as (typeof COUNTED)[number]
      key = key * (values[at] as unknown[]).length + (columns[name][slot] as number)
    }
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, documents]) => {
    let left = key
    const digits = values.toReversed().map((known) => {
      const digit = left % known.length
      left = Math.floor(left / known.length)
      return known[digit] === '' ? null : known[digit]
    })
    const [corrected, trimester, paperNumber, paperKind, categoryId, matiereId, niveauId] = digits
    return {
      niveauId: Number(niveauId),
      matiereId: Number(matiereId),
      categoryId: Number(categoryId),
      paperKind: paperKind as PaperKind | null,
      paperNumber: paperNumber as number | null,
      trimester: trimester as Trimester | null,
      isCorrected: corrected !== null,
      documents,
    }
  })
}

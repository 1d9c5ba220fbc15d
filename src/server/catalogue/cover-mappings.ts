import type { CoverMapping } from '../../contract/references.ts'

/** The cover mapping of a document; the other columns are null if it has none. */
export interface CoverMappingRow {
  coverMappingId: number | null
  mappingCoverPath: string | null
  mappingLivrePath: string | null
  mappingColor: string | null
}

/** The cover mapping on the wire. */
export function presentMappingOf(row: CoverMappingRow): CoverMapping | null {
  if (row.coverMappingId === null) return null
  return {
    coverPath: row.mappingCoverPath,
    livrePath: row.mappingLivrePath,
    color: row.mappingColor,
  }
}

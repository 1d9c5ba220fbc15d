import type { CoverMapping } from '../../contract/catalogue.ts'

/** The cover mapping of a document; the other columns are null where it has none. */
export interface CoverMappingRow {
  cover_mapping_id: number | null
  mapping_cover_path: string | null
  mapping_livre_path: string | null
  mapping_color: string | null
}

/** The cover mapping on the wire. */
export function presentMappingOf(row: CoverMappingRow): CoverMapping | null {
  if (row.cover_mapping_id === null) return null
  return {
    coverPath: row.mapping_cover_path,
    livrePath: row.mapping_livre_path,
    color: row.mapping_color,
  }
}

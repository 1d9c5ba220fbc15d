// The face of catalogue: the rest of the server uses only this.

export { type CoverMappingRow, presentMappingOf } from './cover-mappings.ts'
export { findDocument, newestDocuments } from './documents.ts'
export { searchText } from './search-text.ts'

// The face of imports by upload: the rest of the server uses only this.

export { expireImports, resumeImports } from './rows.ts'
export { workOnImport } from './work.ts'

// The public interface of imports by upload: the rest of the server imports only this file.

export { expireImports, resumeImports } from './rows.ts'
export { giveUpImport, workOnImport } from './work.ts'

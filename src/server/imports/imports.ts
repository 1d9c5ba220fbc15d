export { expireImports, resumeImports } from './rows.ts'
export { giveUpImport, workOnImport } from './work.ts'

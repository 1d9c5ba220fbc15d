export { mergeFollows } from './follows.ts'

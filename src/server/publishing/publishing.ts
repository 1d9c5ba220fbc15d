// The face of publishing: the rest of the server uses only this. What serves and renders pages is put
// together by the wiring, and not loaded by those who merely say what has changed.
export { openAnnouncements } from './changes/announcements.ts'
export { noteChanges } from './changes/page-changes.ts'

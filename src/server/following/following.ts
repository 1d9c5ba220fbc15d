export { mergeFollows } from './follows.ts'
export { unsubscribeToken } from './unsubscribe.ts'
export { mailNews, newsMailWriter } from './weekly.ts'

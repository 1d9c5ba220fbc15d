// The public interface of the API reference: the rest of the server imports only this file.

export { apiPage } from './page.ts'

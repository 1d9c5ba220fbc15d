// The public interface of the API reference: the rest of the server imports only this file.

export {
  type AnyStruct,
  bashCompletion,
  describeInWords,
  type Field,
  fieldLines,
  fieldsOf,
  mistakes,
} from './fields.ts'
export { callDescriptions } from './openapi.ts'
export { apiPage } from './page.ts'

/** The storage does not answer, or refuses a request. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

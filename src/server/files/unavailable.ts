/** The storage does not answer, or refuses. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

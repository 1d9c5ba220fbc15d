/** The place where files lie does not answer, or refuses. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

import type { Upload } from '../../../contract/uploads.ts'
import * as uploads from '../../../contract/uploads.ts'
import type { StaffUploadPurpose } from '../../../rules/uploads.ts'
import { createSending, type UploadState as StateOf } from '../../../stores/shared/upload.ts'
import { ask } from '../backend.ts'
import { forgetUpload, noteChecked, recallUpload, rememberUpload } from './upload-memory.ts'

/** What is said of a file that is accepted. */
type Remarks = Pick<Upload, 'missingFonts' | 'isSigned'>
export type UploadState = StateOf<Remarks>

interface Options {
  purpose: StaffUploadPurpose
  /** The key under which this browser stores the upload across reloads: `document-12-file`. */
  keepAs: string
  /**
   * Makes the server use the checked upload. Called again with the same id if the response was
   * lost. Errors that it throws become the problem of the upload.
   */
  onDone: (id: string) => Promise<unknown>
}

/** An upload of staff, which survives a reload of the page. */
export function createUpload({ purpose, keepAs, onDone }: Options) {
  const sending = createSending<Remarks>({
    what: keepAs,
    noRemarks: { missingFonts: [], isSigned: false },
    onDone,
    server: {
      open: (file, signal) => ask(uploads.openUpload, { body: { ...file, purpose } }, { signal }),
      read: (id, signal) => ask(uploads.getUpload, { params: { id } }, { signal }),
      send: (id, { offset, bytes }, signal) => {
        const input = { params: { id }, query: { offset }, body: bytes }
        return ask(uploads.sendPart, input, { signal })
      },
      async check(id, signal) {
        const checked = await ask(uploads.finishUpload, { params: { id } }, { signal })
        return { missingFonts: checked.missingFonts, isSigned: checked.isSigned }
      },
      cancel: (id) => ask(uploads.cancelUpload, { params: { id } }),
    },
    memory: {
      remember: (id, file) => rememberUpload(keepAs, id, file),
      noteChecked: (id, file) => noteChecked(keepAs, id, file),
      recall: () => recallUpload(keepAs),
      forget: (id) => forgetUpload(keepAs, id),
    },
  })
  return { purpose, ...sending }
}

export type UploadStore = ReturnType<typeof createUpload>

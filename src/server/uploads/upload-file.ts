import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import * as contract from '../../contract/uploads.ts'
import { type StaffUploadPurpose, UPLOAD_PART_MAX_BYTES } from '../../rules/uploads.ts'
import type { Make } from '../http/in-process.ts'

/**
 * Uploads a file of this machine by the calls of the office, part by part; returns the upload's id.
 * Throws the system's error where the file cannot be read, and what the calls throw.
 */
export async function uploadFile(make: Make, path: string, purpose: StaffUploadPurpose) {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const announced = { name: basename(path), size, purpose }
    const { id } = await make(contract.openUpload, { body: announced })
    for (let offset = 0; offset < size; offset += UPLOAD_PART_MAX_BYTES) {
      const part = Buffer.alloc(Math.min(UPLOAD_PART_MAX_BYTES, size - offset))
      await file.read(part, 0, part.length, offset)
      const at = { params: { id }, query: { offset: String(offset) } }
      await make(contract.sendPart, { ...at, body: part })
    }
    await make(contract.finishUpload, { params: { id } })
    return id
  } finally {
    await file.close()
  }
}

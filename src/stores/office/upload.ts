import { atom, readonlyType } from 'nanostores'
import * as uploads from '../../contract/uploads.ts'
import type { UploadPurpose } from '../../rules/uploads.ts'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createPartSize } from './part-size.ts'
import { forgetUpload, noteChecked, recallUpload, rememberUpload } from './upload-memory.ts'

/** The file, and how many of its bytes the server has. */
interface Progress {
  name: string
  size: number
  sent: number
}

/** The state of an upload. */
export type UploadState =
  | { phase: 'none' }
  | ({ phase: 'sending' } & Progress)
  | ({ phase: 'paused' } & Progress)
  /** The connection is lost or the server busy; the upload continues on its own. */
  | ({ phase: 'waiting' } & Progress)
  /** An earlier visit began it, but the browser has not kept the file, which must be chosen again. */
  | ({ phase: 'file-missing' } & Progress)
  /** The server has the whole file and checks it. */
  | ({ phase: 'checking' } & Progress)
  | { phase: 'done' }
  | { phase: 'failed'; name: string; problem: Problem }

interface Options {
  purpose: UploadPurpose
  /** The key under which this browser stores it across reloads: `document-12-file`. */
  keepAs: string
  /**
   * Has the server use the checked upload. Called again with the same one where its answer was lost.
   * An error that it throws is shown as the upload's.
   */
  onDone: (id: string) => Promise<unknown>
}

/** The wait before the first retry after a failed connection (ms); doubled each time. */
const RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000

/** Whether a retry may succeed: there was no answer, or the server is busy. */
const isPassing = ({ status, code }: Problem) =>
  status === 0 || code === 'too_many_requests' || status >= 500

/**
 * Sends a file in parts, resumes after a lost connection, a pause or a reload where the server stopped,
 * and has the server check it.
 */
export function createUpload({ purpose, keepAs, onDone }: Options) {
  const $state = atom<UploadState>({ phase: 'none' })
  let id: string | null = null
  let file: File | null = null
  /** The file under way, also where the browser has not kept its bytes. */
  let about = { name: '', size: 0 }
  /** The server has checked the whole file: what is missing is its use. */
  let isChecked = false
  let running = new AbortController()
  let failures = 0
  let wake: (() => void) | undefined

  /** Sends the missing part, from the position that the server reports, until the file is complete and checked. */
  async function run(): Promise<void> {
    running.abort()
    running = new AbortController()
    const { signal } = running
    while (!signal.aborted) {
      try {
        if (!isChecked) await send(signal)
        if (signal.aborted) return
        await use()
        return
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof FileUnreadable) return askForFile()
        logOnly(keepAs)(error)
        if (!(await isWorthAnotherTry(problemOf(error)))) return
        await pauseBefore(signal)
      }
    }
  }

  async function send(signal: AbortSignal): Promise<void> {
    if (!file) throw new FileUnreadable(about.name)
    const whole = file
    if (!id) {
      $state.set({ phase: 'sending', ...about, sent: 0 })
      const opened = await ask(uploads.openUpload, { body: { ...about, purpose } }, { signal })
      id = opened.id
      await rememberUpload(keepAs, id, whole)
    }
    const params = { id }
    let upload = await ask(uploads.getUpload, { params }, { signal })
    const partSize = createPartSize()
    while (upload.received < whole.size) {
      signal.throwIfAborted()
      const offset = upload.received
      $state.set({ phase: 'sending', ...about, sent: offset })
      const part = await read(whole, offset, partSize.bytes())
      const begun = performance.now()
      const input = { params, query: { offset }, body: new Uint8Array(part) }
      upload = await ask(uploads.sendPart, input, { signal }).catch((error) => {
        partSize.failed()
        throw error
      })
      partSize.took(performance.now() - begun)
      failures = 0
    }
    signal.throwIfAborted()
    $state.set({ phase: 'checking', ...about, sent: whole.size })
    await ask(uploads.finishUpload, { params }, { signal })
    isChecked = true
    noteChecked(keepAs, id, about)
  }

  /**
   * The server deletes an upload as it is used. Where the answer to that is lost, only this call can be
   * repeated: asking for the upload would find nothing, and the file would be sent a second time.
   */
  async function use(): Promise<void> {
    if (!id) return
    const checked = id
    $state.set({ phase: 'checking', ...about, sent: about.size })
    await onDone(checked)
    await forgetUpload(keepAs, checked)
    $state.set({ phase: 'done' })
  }

  /** Shows why it stopped, if only the user can continue; otherwise that it waits. */
  async function isWorthAnotherTry(problem: Problem): Promise<boolean> {
    if (problem.code === 'upload_not_found' && id) {
      await forgetUpload(keepAs, id)
      id = null
      // The server has deleted the upload; the file is still here and starts over.
      if (!isChecked) return true
      // Whether it was used, and something newer since, is not known: the user decides.
      isChecked = false
      askForFile()
      return false
    }
    if (isPassing(problem) || problem.code === 'upload_incomplete') {
      const state = $state.get()
      const sent = 'sent' in state ? state.sent : 0
      $state.set({ phase: 'waiting', ...about, sent })
      return true
    }
    if (id) await forgetUpload(keepAs, id)
    id = null
    $state.set({ phase: 'failed', name: about.name, problem })
    return false
  }

  /** The file was moved or changed since it was chosen, or lost by a reload. */
  function askForFile(): void {
    const state = $state.get()
    $state.set({ phase: 'file-missing', ...about, sent: 'sent' in state ? state.sent : 0 })
  }

  /** Waits, longer after each failure, or until the browser is online again. */
  function pauseBefore(signal: AbortSignal): Promise<void> {
    const pause = Math.min(RETRY_MS * 2 ** failures++, LONGEST_RETRY_MS)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      signal.addEventListener('abort', wake)
    })
  }

  return {
    purpose,
    $state: readonlyType($state),
    /** Starts with a file; if an earlier visit began to send it, continues where that stopped. */
    choose(chosen: File): void {
      const state = $state.get()
      const isSame =
        state.phase === 'file-missing' && chosen.name === state.name && chosen.size === state.size
      if (!isSame) id = null
      isChecked = false
      file = chosen
      about = { name: chosen.name, size: chosen.size }
      failures = 0
      void run()
    },
    pause(): void {
      const state = $state.get()
      if (state.phase !== 'sending' && state.phase !== 'waiting') return
      running.abort()
      $state.set({ ...state, phase: 'paused' })
    },
    /** Continues after a pause, or retries at once. */
    resume(): void {
      failures = 0
      if ($state.get().phase === 'waiting') wake?.()
      else void run()
    },
    /** Cancels the upload, here and on the server. */
    async cancel(): Promise<void> {
      running.abort()
      $state.set({ phase: 'none' })
      file = null
      if (!id) return
      const params = { id }
      id = null
      await forgetUpload(keepAs, params.id)
      await ask(uploads.cancelUpload, { params }).catch(logOnly(keepAs))
    },
    /** Continues what an earlier visit began; returns the function that stops all work of this page. */
    open(): () => void {
      const retry = () => wake?.()
      addEventListener('online', retry)
      void recallUpload(keepAs).then((remembered) => {
        if (!remembered || $state.get().phase !== 'none') return
        ;({ id, file, isChecked } = remembered)
        about = { name: remembered.name, size: remembered.size }
        if (file || isChecked) void run()
        else askForFile()
      })
      return () => {
        running.abort()
        removeEventListener('online', retry)
      }
    },
  }
}

class FileUnreadable extends Error {}

async function read(file: File, offset: number, bytes: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(offset, offset + bytes).arrayBuffer()
  } catch {
    throw new FileUnreadable(file.name)
  }
}

export type UploadStore = ReturnType<typeof createUpload>

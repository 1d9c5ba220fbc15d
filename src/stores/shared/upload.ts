import { atom, readonlyType } from 'nanostores'
import { UPLOAD_PART_MAX_BYTES, UPLOAD_PART_MIN_BYTES } from '../../rules/uploads.ts'
import { logOnly, type Problem, problemOf } from './problem.ts'

/** `sent`: how many bytes of the file the server has. */
interface Progress {
  name: string
  size: number
  sent: number
}

/** `Remarks` is what is said of a file that is accepted. */
export type UploadState<Remarks = unknown> =
  | { phase: 'none' }
  | ({ phase: 'sending' } & Progress)
  | ({ phase: 'paused' } & Progress)
  /** The connection is lost or the server is busy; the upload continues automatically. */
  | ({ phase: 'waiting' } & Progress)
  /** The file is no longer readable, for example after a reload: the user must choose it again. */
  | ({ phase: 'file-missing' } & Progress)
  /** The server has received the whole file and checks it. */
  | ({ phase: 'checking' } & Progress)
  | ({ phase: 'done' } & Remarks)
  | { phase: 'failed'; name: string; problem: Problem }

/** How much of an upload the server has. */
interface Arrived {
  readonly id: string
  readonly received: number
}

interface ChosenFile {
  readonly name: string
  readonly size: number
}

/** The calls of an upload. They throw an `ApiError`. */
interface UploadServer<Remarks> {
  open(file: ChosenFile, signal: AbortSignal): Promise<Arrived>
  read(id: string, signal: AbortSignal): Promise<Arrived>
  send(
    id: string,
    part: { offset: number; bytes: Uint8Array<ArrayBuffer> },
    signal: AbortSignal,
  ): Promise<Arrived>
  /** Has the whole file checked, where that does not come with its use. */
  check?(id: string, signal: AbortSignal): Promise<Remarks>
  cancel(id: string): Promise<unknown>
}

/** Keeps an upload across reloads; without one, a page that is closed gives it up. */
interface UploadMemory {
  remember(id: string, file: File): Promise<void>
  noteChecked(id: string, file: ChosenFile): void
  recall(): Promise<(ChosenFile & { id: string; file: File | null; isChecked: boolean }) | null>
  forget(id: string): Promise<void>
}

const NO_MEMORY: UploadMemory = {
  remember: async () => {},
  noteChecked: () => {},
  recall: async () => null,
  forget: async () => {},
}

interface Options<Remarks> {
  /** What is sent, for the log. */
  what: string
  server: UploadServer<Remarks>
  memory?: UploadMemory
  /** What is said of a file of which nothing is said. */
  noRemarks: Remarks
  /**
   * Makes the server use the checked upload. Called again with the same id if the response was
   * lost. Errors that it throws become the problem of the upload.
   */
  onDone: (id: string) => Promise<unknown>
}

/** The delay before the first retry (ms); each further retry doubles it. */
const RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000

/** Whether a retry may succeed: the server did not respond, or is busy. */
const isTemporary = ({ status, code }: Problem) =>
  status === 0 || code === 'too_many_requests' || status >= 500

/**
 * Sends a file in parts and makes the server check it. After a lost connection, a pause or a reload
 * it resumes at the position that the server has reached.
 */
export function createSending<Remarks extends object>({
  what,
  server,
  memory = NO_MEMORY,
  noRemarks,
  onDone,
}: Options<Remarks>) {
  const $state = atom<UploadState<Remarks>>({ phase: 'none' })
  let id: string | null = null
  let file: File | null = null
  /** The facts of the chosen file; known even if the browser has not kept the file itself. */
  let fileInfo = { name: '', size: 0 }
  /** Whether the server has checked the whole file, so that only `onDone` remains. */
  let isChecked = false
  let remarks = noRemarks
  let abortController = new AbortController()
  let failures = 0
  let wake: (() => void) | undefined

  /** Sends the file from the position that the server reports, then has it checked and used. */
  async function run(): Promise<void> {
    abortController.abort()
    abortController = new AbortController()
    const { signal } = abortController
    while (!signal.aborted) {
      try {
        if (!isChecked) await send(signal)
        if (signal.aborted) return
        await use()
        return
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof FileUnreadable) return askForFile()
        logOnly(what)(error)
        if (!(await shouldRetry(problemOf(error)))) return
        await waitBeforeRetry(signal)
      }
    }
  }

  async function send(signal: AbortSignal): Promise<void> {
    if (!file) throw new FileUnreadable(fileInfo.name)
    const whole = file
    if (!id) {
      $state.set({ phase: 'sending', ...fileInfo, sent: 0 })
      id = (await server.open(fileInfo, signal)).id
      await memory.remember(id, whole)
    }
    const sent = id
    let upload = await server.read(sent, signal)
    const partSize = createPartSize()
    while (upload.received < whole.size) {
      signal.throwIfAborted()
      const offset = upload.received
      $state.set({ phase: 'sending', ...fileInfo, sent: offset })
      const part = await readPart(whole, offset, partSize.bytes())
      const startedAt = performance.now()
      const bytes = new Uint8Array(part)
      upload = await server.send(sent, { offset, bytes }, signal).catch((error) => {
        partSize.failed()
        throw error
      })
      partSize.took(performance.now() - startedAt)
      failures = 0
    }
    signal.throwIfAborted()
    $state.set({ phase: 'checking', ...fileInfo, sent: whole.size })
    if (server.check) remarks = await server.check(sent, signal)
    isChecked = true
    memory.noteChecked(sent, fileInfo)
  }

  /**
   * The server deletes an upload when it uses it. If the response is lost, only `onDone` may be
   * repeated: `getUpload` would no longer find the upload, and the file would be sent a second
   * time.
   */
  async function use(): Promise<void> {
    if (!id) return
    const checked = id
    $state.set({ phase: 'checking', ...fileInfo, sent: fileInfo.size })
    await onDone(checked)
    await memory.forget(checked)
    $state.set({ phase: 'done', ...remarks })
  }

  /** Decides whether to retry, and shows either that the upload waits or why it stopped. */
  async function shouldRetry(problem: Problem): Promise<boolean> {
    if (problem.code === 'upload_not_found' && id) {
      await memory.forget(id)
      id = null
      // The server has deleted the upload, but the browser still has the file: send it again.
      if (!isChecked) return true
      // The server may have used the upload already, and a newer file since: let the user decide.
      isChecked = false
      askForFile()
      return false
    }
    if (isTemporary(problem) || problem.code === 'upload_incomplete') {
      // The server has lost parts, and says with the next call which.
      if (problem.code === 'upload_incomplete') isChecked = false
      const state = $state.get()
      const sent = 'sent' in state ? state.sent : 0
      $state.set({ phase: 'waiting', ...fileInfo, sent })
      return true
    }
    if (id) await memory.forget(id)
    id = null
    $state.set({ phase: 'failed', name: fileInfo.name, problem })
    return false
  }

  /** Asks the user for the file: it was moved or changed, or the browser has not kept it. */
  function askForFile(): void {
    const state = $state.get()
    $state.set({ phase: 'file-missing', ...fileInfo, sent: 'sent' in state ? state.sent : 0 })
  }

  /** Waits longer after each failure; `wake` ends the wait early. */
  function waitBeforeRetry(signal: AbortSignal): Promise<void> {
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
    $state: readonlyType($state),
    /** Sends a file; if an earlier visit has sent a part of it, continues after that part. */
    choose(chosen: File): void {
      const state = $state.get()
      const isSame =
        state.phase === 'file-missing' && chosen.name === state.name && chosen.size === state.size
      if (!isSame) id = null
      isChecked = false
      remarks = noRemarks
      file = chosen
      fileInfo = { name: chosen.name, size: chosen.size }
      failures = 0
      void run()
    },
    pause(): void {
      const state = $state.get()
      if (state.phase !== 'sending' && state.phase !== 'waiting') return
      abortController.abort()
      $state.set({ ...state, phase: 'paused' })
    },
    resume(): void {
      failures = 0
      if ($state.get().phase === 'waiting') wake?.()
      else void run()
    },
    async cancel(): Promise<void> {
      abortController.abort()
      $state.set({ phase: 'none' })
      file = null
      if (!id) return
      const left = id
      id = null
      await memory.forget(left)
      await server.cancel(left).catch(logOnly(what))
    },
    /** Continues an upload of an earlier visit; returns a function that stops all work here. */
    open(): () => void {
      const retry = () => wake?.()
      addEventListener('online', retry)
      void memory.recall().then((remembered) => {
        if (!remembered || $state.get().phase !== 'none') return
        ;({ id, file, isChecked } = remembered)
        fileInfo = { name: remembered.name, size: remembered.size }
        if (file || isChecked) void run()
        else askForFile()
      })
      return () => {
        abortController.abort()
        removeEventListener('online', retry)
      }
    },
  }
}

class FileUnreadable extends Error {}

async function readPart(file: File, offset: number, bytes: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(offset, offset + bytes).arrayBuffer()
  } catch {
    throw new FileUnreadable(file.name)
  }
}

export type Sending<Remarks extends object = object> = ReturnType<typeof createSending<Remarks>>

const FIRST_BYTES = 64 * 1024
/** A part sent faster than this (ms) doubles the size of the next part; a slow one halves it. */
const QUICK_MS = 1500
const SLOW_MS = 6000

/** Adapts the size of upload parts so that each takes a few seconds on the current connection. */
function createPartSize() {
  let bytes = FIRST_BYTES
  const halve = () => {
    bytes = Math.max(bytes / 2, UPLOAD_PART_MIN_BYTES)
  }
  return {
    bytes: () => bytes,
    took(ms: number): void {
      if (ms < QUICK_MS) bytes = Math.min(bytes * 2, UPLOAD_PART_MAX_BYTES)
      else if (ms > SLOW_MS) halve()
    },
    failed: halve,
  }
}

export type Say = (line: string, level?: Level) => void

export type Level = 'info' | 'warn' | 'error'

/** A line of a real shop's log, in the form of those about requests (`http/logging.ts`). */
export function logLine(line: string, level: Level = 'info'): string {
  const time = new Date().toISOString()
  return printableJson(JSON.stringify({ level, time, process: process.pid, msg: line }))
}

/**
 * Characters that a terminal executes or that make its text deceptive: control characters (C0, DEL
 * and C1, which move the cursor, rename the window or clear the screen), line separators, and the
 * overrides, embeddings and isolates that make text appear in another order than it is written in.
 * Marks such as U+200F stay: Arabic is written with them.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Makes a line of any origin safe to print. Each character stays one character. */
export function printable(line: string): string {
  return line.replace(UNSAFE, '\ufffd')
}

/** The same for trusted text of several lines, such as a stack. */
export function printableText(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line.replaceAll('\t', '  ')))
    .join('\n')
}

/** Makes JSON of one line safe to print, without changing its value. */
export function printableJson(json: string): string {
  return json.replace(
    UNSAFE,
    (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

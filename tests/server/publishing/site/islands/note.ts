declare global {
  interface Window {
    /** What the islands were told, in order. */
    notes?: string[]
  }
}

export function note(text: string): void {
  window.notes = [...(window.notes ?? []), text]
}

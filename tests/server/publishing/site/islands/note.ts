declare global {
  interface Window {
    /** What the islands received, in order. */
    notes?: string[]
  }
}

export function note(text: string): void {
  window.notes = [...(window.notes ?? []), text]
}

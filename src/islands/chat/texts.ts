/** `chat:page` of locales. */
export interface ChatTexts {
  list: {
    label: string
    new: string
    empty: string
    loading: string
    lost: string
    noMessages: string
    /** The plural forms of `unread`. */
    unread: Readonly<Record<string, string>>
  }
  room: {
    back: string
    log: string
    /** Who wrote, to those who hear the page. */
    you: string
    loading: string
    older: string
    empty: string
    none: string
    newest: string
    placeholder: string
    send: string
    /** A request stands in the field, and only has to be sent. */
    ready: string
    tooLong: string
  }
  state: { pending: string; waiting: string; refused: string; retry: string; drop: string }
  line: { lost: string }
  time: { now: string; today: string; yesterday: string }
  picker: { title: string; loading: string; none: string; cancel: string; close: string }
  document: { about: string; remove: string; free: string }
  /** Where nobody knows what the other one is called. */
  nameless: string
}

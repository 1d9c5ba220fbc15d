const CHAT = 'e2e/chat.test.ts › a conversation $who'
const PICKER = `${CHAT} › begins with the picker; both write and read at once, and unread is counted`
const ORDER = `${CHAT} › a custom order stands ready in the conversation with the shop, and one press sends it`
const STATES = 'e2e/states.test.ts › what the states of a screen say $who'
const LOADING = `${STATES} › the chat: loading, nobody to write to, a cut last message with its time`
const ROOM = `${STATES} › the chat: a room that loads, its last message cut, and when that was`
const PHONE =
  'e2e/chat.test.ts › on a phone the browser’s back leads from the conversation to the list, and out'

/** What section 2 says of the chat and of the custom order. */
export const CHAT_SENTENCES: Record<string, Record<string, readonly string[]>> = {
  chat: {
    'The list says that there are no conversations yet': [PICKER],
    'The list says that it loads': [LOADING],
    'A button begins a new conversation, and rests while the list loads': [PICKER, LOADING],
    'An item has a name, the last message and what is unread': [PICKER],
    'The last message is cut to 30 characters': [
      ROOM,
      'rules/preview-text.test.ts › is the text itself or a beginning of it',
    ],
    'The open room has its name, and says that it is empty': [PICKER],
    'The open room says that its messages load': [ROOM],
    'Without a room it says to choose one': [LOADING],
    'Sent and received messages look different': [PICKER],
    'A message has a relative time': [
      ROOM,
      'rules/relative-time.test.ts › no count is 0 or reaches the next unit',
    ],
    'The send button is disabled while blank': [
      PICKER,
      'stores/chat.test.ts › sending › blank, too long, without a room, or into one that is not in the list: nothing is sent',
    ],
    'The picker says that it loads, that there is nobody, and can be left': [LOADING],
    'The picker lists the administrators by name': [
      PICKER,
      'stores/chat.test.ts › beginning a conversation › the picker lists the administrators; the picked one’s room comes first and is shown',
    ],
    'At 768 px or less the list is hidden beside a conversation, and a button brings it back': [
      PHONE,
    ],
    'Who is not logged in is sent to the log-in': [
      'e2e/chat.test.ts › two tabs show the same; logging out in one leads the other to the log-in',
      `${CHAT} › asks about a document: through the log-in, with its card on both sides`,
    ],
  },
  'custom order': {
    'Its button is for who is logged in': [
      'e2e/chat.test.ts › the order button is for who is logged in; nothing of React comes before the first intent',
      ORDER,
    ],
    'The type is required, the details are not': [ORDER],
    'Sending closes it and empties it': [ORDER],
  },
}

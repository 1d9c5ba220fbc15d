import { atom, type ReadableAtom } from 'nanostores'
import type { Input, Result } from '../../../contract/call.ts'
import * as notices from '../../../contract/office-desk.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'

export const shownNotices = resource(notices.getNotices)

export async function setNotice(body: Input<typeof notices.setNotice>['body']): Promise<void> {
  shownNotices.show(await orReload(ask(notices.setNotice, { body }), shownNotices.refresh))
}

/** Sends a test mail to oneself, and shows the state of mail after it. Throws an `ApiError`. */
export async function sendTestMail(): Promise<Result<typeof notices.sendTestMail>> {
  const sent = await ask(notices.sendTestMail, {})
  await shownNotices.refresh()
  return sent
}

const folder = atom<string | null>(null)

/** The folder on the server where mails lie that nobody receives; null with a mail server. */
export const $mailFolder: ReadableAtom<string | null> = folder

/** Finds out where mails go; a page that cannot know says nothing. */
export async function loadMailFolder(): Promise<void> {
  const { kind, place } = await ask(notices.getMailPlace, {}).catch(() => ({
    kind: 'server' as const,
    place: '',
  }))
  folder.set(kind === 'folder' ? place : null)
}

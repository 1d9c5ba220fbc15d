import { access, constants, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tryMailServer } from '../../carriers/carriers.ts'
import { type Config, filesIn, realBecause } from '../../config/config.ts'
import { isReadableByAnybody, openStorage, type Storage } from '../../files/files.ts'
import { tryKonnect } from '../../gateways/gateways.ts'
import { ANSWER_LIMIT_MS, attempt, type Finding, inTime, sound, wrong } from './finding.ts'

/** Whether mails leave the shop: the mail server is greeted and logged in to; nothing is sent. */
export function examineMailServer(config: Config): Promise<readonly Finding[]> {
  const { smtpUrl, dataDir } = config
  if (smtpUrl === null) {
    const found = `mails go to ${join(dataDir, 'outbox')}`
    const isRight = realBecause(config) === null
    const advice = 'set SMTP_URL; mails in a folder reach nobody'
    return Promise.resolve([isRight ? sound('outbox', found) : wrong('outbox', found, advice)])
  }
  const { host, username } = new URL(smtpUrl)
  const advice = `correct SMTP_URL, or see what ${host} says; then run \`mails test <e-mail>\``
  return attempt('outbox', advice, async () => {
    await inTime(() => tryMailServer(smtpUrl, ANSWER_LIMIT_MS / 2))
    return [sound('outbox', `${host} answers${username ? ', and accepts the log-in' : ''}`)]
  })
}

/** Whether text messages can be sent, as far as the settings say; nothing is sent. */
export function examineSms({ sms }: Config): Promise<readonly Finding[]> {
  const found = sms
    ? `by ${new URL(sms.url).host}, ${sms.perDay} a day at most, ${sms.news ? 'with' : 'without'} news`
    : 'none: accounts need an e-mail address'
  return Promise.resolve([sound('sms', found)])
}

/** Whether the gateway answers; none of its calls without an effect shows more. */
export function examineGateway({ payment }: Config): Promise<readonly Finding[]> {
  if (payment.provider !== 'konnect') {
    const found = payment.provider === 'none' ? 'none: no cards' : 'the sandbox: no money moves'
    return Promise.resolve([sound('gateway', found)])
  }
  const advice = 'see the status page of Konnect, and correct KONNECT_API_KEY or KONNECT_BASE_URL'
  return attempt('gateway', advice, async () => {
    await inTime((signal) => tryKonnect(payment, signal))
    return [sound('gateway', 'Konnect answers; that it accepts the key, only a payment shows')]
  })
}

/** Whether files can be listed and read, and by whom. */
export async function examineStorage(
  config: Pick<Config, 'files' | 'dataDir'>,
): Promise<readonly Finding[]> {
  const { files, dataDir } = config
  if (files.kind === 'directory') {
    const isOwn = files.path === filesIn(dataDir)
    const advice = 'mount it, or correct FILES_URL'
    return await attempt('storage', advice, async () => {
      const found = await stat(files.path).catch(() => null)
      if (!found) {
        const none = `${files.path} does not exist`
        return [isOwn ? sound('storage', `${none} yet`) : wrong('storage', none, advice)]
      }
      await access(files.path, constants.R_OK | constants.X_OK)
      await inTime(() => usingStorage(config, readOne))
      const isOpen = (found.mode & 0o004) !== 0
      const who = isOpen ? 'users of this machine who may enter it read it' : 'its owner reads it'
      return [sound('storage', `${files.path} can be read; ${who}, nobody from outside`)]
    })
  }
  const advice = 'correct FILES_URL and AWS_*, or see what the storage says'
  return await attempt('storage', advice, () =>
    inTime(async () => {
      const bucket = `the bucket ${files.bucket}`
      const key = await usingStorage(config, readOne)
      if (key === null) return [sound('storage', `${bucket} answers, and is empty`)]
      if (await isReadableByAnybody(files, key)) {
        const found = `anybody reads the files of ${bucket} without a key`
        return [wrong('storage', found, 'make the bucket private: it holds what the shop sells')]
      }
      return [sound('storage', `${bucket} can be listed and read, and is closed to others`)]
    }),
  )
}

export async function usingStorage<T>(
  config: Pick<Config, 'files' | 'dataDir'>,
  work: (files: Storage) => Promise<T>,
): Promise<T> {
  const files = await openStorage(config)
  try {
    return await work(files)
  } finally {
    files.close()
  }
}

/** Reads a byte of the first file; returns its key, null if there is none. */
export async function readOne(files: Storage): Promise<string | null> {
  for await (const { key, size } of files.list()) {
    if (size === 0) continue
    for await (const _ of (await files.pieces(key, { start: 0, end: 0 })) ?? []) break
    return key
  }
  return null
}

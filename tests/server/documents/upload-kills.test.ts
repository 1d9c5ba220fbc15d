// @one-database: it is about files.
// @at-landing: processes are killed and started again.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { finishUpload, getUpload, openUpload, type Upload } from '../../../src/contract/uploads.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { spawnShop } from '../../support/shop-process.ts'

const PART = 4000

/** Another instance of the same shop, in a process that can be killed. */
const anInstance = (app: TestApp) =>
  spawnShop(
    {
      DATA_DIR: app.deps.config.dataDir,
      DATABASE_URL: app.databaseUrl,
      JWT_SECRET: new TextDecoder().decode(app.deps.secret),
      DEMO: '0',
    },
    { command: [process.execPath, 'tests/server/chat/backend-process.ts'] },
  )

function send(url: string, as: Person, { id, received }: Upload, bytes: Uint8Array) {
  return fetch(`${url}/api/office/uploads/${id}/part?offset=${received}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes.subarray(received, received + PART)),
  })
}

/**
 * Sends the next part until it is accepted: an instance that has only just started may be too busy.
 */
function sendUntilTaken(url: string, as: Person, upload: Upload, bytes: Uint8Array) {
  return vi.waitFor(async () => {
    const response = await send(url, as, upload, bytes)
    expect(response.status).toBe(200)
    return (await response.json()) as Upload
  }, PATIENCE)
}

async function filesOnDisk(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => /files|uploads/.test(path))
}

test('kill -9 between parts and at the finish: the upload resumes, and nothing is left over', async () => {
  const app = await testApp()
  const teacher = await app.anOfficeTeacher()
  const pdf = aPdf('x', 60)
  const body = { name: 'x.pdf', size: pdf.length, purpose: 'document' as const }
  let upload = await app.call(openUpload, { as: teacher, body })
  const params = { id: upload.id }
  const abandoned = await app.call(openUpload, { as: teacher, body })

  const cut = await anInstance(app)
  for (let part = 0; part < 3; part++) {
    upload = await sendUntilTaken(cut.url, teacher, upload, pdf)
  }
  await sendUntilTaken(cut.url, teacher, abandoned, pdf)
  // A part is being sent while the process is killed.
  const lost = send(cut.url, teacher, upload, pdf).catch(() => null)
  await cut.kill()
  await lost
  upload = await app.call(getUpload, { as: teacher, params })
  expect([3 * PART, 4 * PART]).toContain(upload.received)
  while (upload.received < pdf.length) {
    upload = await sendUntilTaken(app.url, teacher, upload, pdf)
  }

  for (const delay of [50, 400]) {
    const killed = await anInstance(app)
    const finishing = fetch(`${killed.url}/api/office/uploads/${upload.id}/finish`, {
      method: 'POST',
      headers: { authorization: `Bearer ${teacher.token}` },
    }).catch(() => null)
    await wait(delay)
    await killed.kill()
    await finishing
  }
  const checked = await app.call(finishUpload, { as: teacher, params })
  expect(checked).toMatchObject({ isChecked: true, pageCount: 60 })

  app.travel(DAY_MS + 60_000)
  await cleanUpFiles(app.deps)
  // The shop writes one file of its own to see whether the storage is there.
  const left = await filesOnDisk(app.deps.config.dataDir)
  expect(left.filter((path) => !path.endsWith('/looked-at'))).toEqual([])
})

/**
 * Purchases a second from wallets, by 20 buyers at once, of documents of one teacher and of ten:
 * `node tests/bench/purchases.ts [seconds]`. What buyers meet at decides it: counters of sales, and
 * accounts that all of them write to.
 */

import { dinars } from '../../src/rules/money.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { adjustWallet, purchase } from '../../src/server/money/money.ts'
import { aBackend } from '../support/bench.ts'

const seconds = Number(process.argv[2] ?? 5)
const BUYERS = 20
const DOCUMENTS = 400

const backend = await aBackend()
const { deps, made } = backend
try {
  const shared = {
    matiereId: await made.aMatiere(),
    niveauId: await made.aNiveau(),
    categoryId: await made.aCategory(),
  }
  for (const teachers of [1, 10]) {
    const teacherIds: number[] = []
    for (let at = 0; at < teachers; at++) teacherIds.push((await made.aTeacher()).id)
    const documents: number[] = []
    for (let at = 0; at < DOCUMENTS; at++) {
      const teacherId = teacherIds[at % teachers] ?? 0
      documents.push((await made.aDocument({ ...shared, teacherId, price: dinars(5) })).id)
    }
    let count = 0
    const times: number[] = []
    const end = performance.now() + seconds * 1000
    const buyers = Array.from({ length: BUYERS }, async (_, place) => {
      const { id: buyerId } = await made.aCustomer()
      await transaction(deps.database, (tx) =>
        adjustWallet(tx, { userId: buyerId, amount: dinars(5 * DOCUMENTS), note: 'bench' }),
      )
      for (let at = 0; at < DOCUMENTS && performance.now() < end; at++) {
        const documentId = documents[(at + place * 20) % DOCUMENTS] ?? 0
        const since = performance.now()
        await transaction(deps.database, (tx) =>
          purchase(tx, { buyerId, documentIds: [documentId] }),
        )
        times.push(performance.now() - since)
        count++
      }
    })
    const since = performance.now()
    await Promise.all(buyers)
    const took = (performance.now() - since) / 1000
    times.sort((a, b) => a - b)
    const p95 = times[Math.floor(times.length * 0.95)] ?? 0
    console.log(
      `${teachers} teachers: ${Math.round(count / took)} purchases/s, p95 ${p95.toFixed(1)} ms`,
    )
  }
} finally {
  await backend.close()
}

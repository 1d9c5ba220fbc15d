import { execFile } from 'node:child_process'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  request as send,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { SEEN_PATH, signNonce } from '../../../src/server/http/seen.ts'
import { noteTrouble } from '../../../src/server/troubles/troubles.ts'
import { CERTIFICATE, certificateUntil } from '../../support/certificate.ts'
import { aDatabase } from '../../support/database.ts'
import { proxyTo } from '../../support/database-proxy.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { startKonnect } from '../../support/konnect.ts'
import { smtpServer } from '../../support/mail.ts'
import { bought } from '../../support/payments.ts'
import { cleanEnvironment } from '../../support/shop-process.ts'
import { office } from '../../support/staff.ts'
import { sharedApp } from '../../support/test.ts'

const HOME = brotliCompressSync('the home page')

const app = await sharedApp({
  pages: (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/') return false
    const isAccepted = /\bbr\b/.test(String(request.headers['accept-encoding']))
    if (isAccepted) response.setHeader('content-encoding', 'br')
    response.end(isAccepted ? HOME : 'the home page')
    return true
  },
})
const JWT_SECRET = new TextDecoder().decode(app.deps.secret)
const OURS = { SITE_URL: app.url, JWT_SECRET }

interface Line {
  readonly check: string
  readonly found: string
  readonly advice?: string
}

/** Checks of these sources, this machine, and the tests' server, which does not wait for its disk. */
const NOT_OURS = ['build', 'disk', 'durability']

/** What the doctor finds, and what of it is wrong. */
async function examine(env: Record<string, string> = {}) {
  const { exit, err, json } = await office(app, ['doctor', '--json'], { ...OURS, ...env })
  expect(err).toBe('')
  const findings: Line[] = json().findings
  expect(exit).toBe(findings.some(({ advice }) => advice) ? 1 : 0)
  const wrong = findings.filter(({ check, advice }) => advice && !NOT_OURS.includes(check))
  return { findings, wrong, checks: wrong.map(({ check }) => check) }
}

const find = (findings: readonly Line[], check: string) =>
  findings.find((each) => each.check === check)
const foundOf = (findings: readonly Line[], check: string) => find(findings, check)?.found

/** What the doctor finds of an https address, as a process that trusts this certificate. */
async function examineSecure(
  siteUrl: string,
  trusted = CERTIFICATE.cert,
  more: Record<string, string> = {},
): Promise<Line[]> {
  const certificate = join(temporaryDirectory(), 'certificate.pem')
  await writeFile(certificate, trusted)
  const env = cleanEnvironment({
    ...OURS,
    SITE_URL: siteUrl,
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.deps.config.dataDir,
    NODE_EXTRA_CA_CERTS: certificate,
    ...more,
  })
  const run = promisify(execFile)(
    process.execPath,
    ['src/server/command-line/main.ts', 'doctor', '--json'],
    { env },
  )
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return JSON.parse(stdout).findings
}

beforeAll(async () => {
  await office(app, ['backup', 'note'])
})

describe('the records', () => {
  test('nothing is wrong with a sound shop', async () => {
    const { wrong, findings } = await examine()
    expect(wrong).toEqual([])
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['settings', 'secret', 'address', 'proxy', 'upgrades', 'listening']),
    )
    expect(foundOf(findings, 'address')).toBe(`${app.url} is this shop`)
  })

  test('each fault is named with what to do', async () => {
    const document = await app.aDocument({ price: dinars(2) })
    const buyer = await app.aCustomer({ balance: dinars(5) })
    await bought(app, buyer, [document])
    expect((await examine()).wrong).toEqual([])
    const { storageKey } = await app.kysely
      .selectFrom('files')
      .innerJoin('documents', 'documents.fileId', 'files.id')
      .select('files.storageKey')
      .where('documents.id', '=', document.id)
      .executeTakeFirstOrThrow()
    await app.deps.files.remove(storageKey)
    await app.change('documents', document.id, { ratingSum: 5 })
    const addToBalance = (amount: number) =>
      app.deps.database.pool.query(`BEGIN; ALTER TABLE accounts DISABLE TRIGGER USER;
        UPDATE accounts SET balance = balance + ${amount}
        WHERE id = (SELECT min(id) FROM accounts WHERE kind = 'customer');
        ALTER TABLE accounts ENABLE TRIGGER USER; COMMIT`)
    await addToBalance(10)
    await noteTrouble({ ...app.deps, report: () => {} }, 'gateway', 'no answer')
    await app.kysely.deleteFrom('upkeep').where('what', '=', 'backup').execute()
    onTestFinished(async () => {
      await addToBalance(-10)
      await app.change('documents', document.id, { ratingSum: 0, salesCount: 0 })
      await app.kysely.deleteFrom('upkeep').execute()
      await office(app, ['backup', 'note'])
    })
    const { checks } = await examine()
    expect(checks.toSorted()).toEqual(['backup', 'files', 'gateway', 'ledger', 'ratings'])
    const { out } = await office(app, ['doctor'], OURS)
    expect(out).toContain(`WRONG  ratings      document ${document.id}: `)
    expect(out).toMatch(/^WRONG {2}ledger .*`ledger check` shows what differs/m)
    expect(out).toMatch(/^ok {5}postgres {5}PostgreSQL \d+/m)
  })

  test('nothing is written, neither rows nor files', async () => {
    const before = await stateOf()
    await examine()
    expect(await stateOf()).toEqual(before)
    // A directory that does not exist is not made.
    const parent = temporaryDirectory()
    await examine({ DATA_DIR: join(parent, 'none') })
    expect(await readdir(parent)).toEqual([])
  })
})

/** Every row of every table, as a digest, and every file with its size, time and rights. */
async function stateOf() {
  const { pool } = app.deps.database
  const { rows: tables } = await pool.query<{ name: string }>(`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`)
  const rows: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows: found } = await pool.query(
      `SELECT count(*), md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM ${name} t`,
    )
    rows[name] = found
  }
  const { dataDir } = app.deps.config
  const files: Record<string, unknown> = {}
  for (const name of (await readdir(dataDir, { recursive: true })).sort()) {
    const { size, mtimeMs, mode } = await stat(join(dataDir, name))
    files[name] = [size, mtimeMs, mode]
  }
  expect(tables.length).toBeGreaterThan(30)
  return { rows, files }
}

describe('the settings', () => {
  test('all that is wrong is named at once, and misspelt names', async () => {
    const { wrong } = await examine({
      PORT: '70000',
      SMTP_URL: 'mail.example',
      TRUSTED_PROXY: '10.0.0.5',
      site_url: 'x',
      HOME: '/home/karras',
    })
    expect(wrong.filter(({ check }) => check === 'settings')).toEqual([
      expect.objectContaining({ found: expect.stringMatching(/^PORT is "70000"; allowed is /) }),
      expect.objectContaining({ found: expect.stringMatching(/^SMTP_URL is "mail.example"; /) }),
      {
        check: 'settings',
        found: 'TRUSTED_PROXY is set, which is no setting',
        advice: 'call it TRUSTED_PROXIES if that is meant, or remove it',
      },
      expect.objectContaining({ advice: expect.stringContaining('call it SITE_URL') }),
    ])
    // Parts that depend on a wrong setting are not examined; all others are.
    expect(wrong.filter(({ check }) => check !== 'settings')).toEqual([
      { check: 'address', found: 'not examined', advice: 'correct PORT first' },
      { check: 'outbox', found: 'not examined', advice: 'correct SMTP_URL first' },
    ])
  })

  test('no secret is shown, from whatever source', async () => {
    // A mail server that repeats what it was given.
    const mail = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.write('220 mail\r\n')
        socket.on('data', (line) => {
          const [, given = ''] = /^AUTH PLAIN (\S+)/.exec(String(line)) ?? []
          const [, , password] = Buffer.from(given, 'base64').toString().split('\0')
          socket.write(given ? `535 not ${password}\r\n` : '250-mail\r\n250 AUTH PLAIN\r\n')
        })
      }),
    )
    const secrets = {
      DATABASE_URL: `postgres://karras:hunter2-database@127.0.0.1:1/karras`,
      DATABASE_LISTEN_URL: `postgres://karras:hunter2-listen@127.0.0.1:1/karras`,
      SMTP_URL: `smtp://someone:hunter2-mail@127.0.0.1:${mail}`,
      FILES_URL: 's3://karras/x?endpoint=http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'hunter2-aws-id',
      AWS_SECRET_ACCESS_KEY: 'hunter2-aws',
      AWS_SESSION_TOKEN: 'hunter2-aws-session',
      JWT_SECRET: 'hunter2-jwt-hunter2-jwt-hunter2-jwt',
      CDN_SECONDS: '60',
      CDN_PURGE_URL: 'https://cdn:hunter2-purge@cdn.example/',
      CDN_PURGE_SECRET: 'hunter2-cdn',
      PAYMENT_PROVIDER: 'konnect',
      KONNECT_API_KEY: '0123:hunter2-konnect',
      KONNECT_WALLET_ID: 'wallet',
      KONNECT_BASE_URL: 'http://127.0.0.1:1/hunter2-no-secret',
      API_ORIGIN: 'http://a:hunter2-origin@127.0.0.1',
      OFFICE_URL: 'x://office:hunter2-office@127.0.0.1',
      SITE_URL: 'https://u:hunter2-site@127.0.0.1',
    }
    for (const json of [[], ['--json']]) {
      const { all, exit } = await office(app, ['doctor', ...json], secrets)
      expect(exit).toBe(1)
      expect(all).not.toContain('hunter2')
      expect(all).toContain('535 not ***')
    }
    // Malformed, so that nothing can be recognised in them.
    const broken = Object.fromEntries(
      Object.keys(secrets).map((name) => [name, ` karras:hunter2 @x y`]),
    )
    const { all } = await office(app, ['doctor'], broken)
    expect(all).toContain('DATABASE_URL is ')
    expect(all).not.toContain('hunter2')
  })

  test('a weak secret, and one that others may read', async () => {
    const { checks } = await examine({ JWT_SECRET: 'a'.repeat(40) })
    expect(checks).toEqual(['secret', 'address'])
    const dataDir = temporaryDirectory()
    const file = join(dataDir, 'secret')
    await writeFile(file, 'ab'.repeat(32), { mode: 0o600 })
    // With an own database, the shop needs JWT_SECRET; the file is looked at anyway.
    const secretOf = async () =>
      (await examine({ DATA_DIR: dataDir, JWT_SECRET: '', DATABASE_URL: '' })).findings.find(
        ({ check }) => check === 'secret',
      )
    expect((await secretOf())?.advice).toBeUndefined()
    await chmod(file, 0o644)
    expect((await secretOf())?.advice).toBe(`run chmod 600 ${file}`)
    expect((await stat(file)).mode & 0o777).toBe(0o644)
    await writeFile(file, 'short')
    expect((await secretOf())?.found).toContain('does not hold a secret')
  })
})

describe('the database', () => {
  test('away: says so, and examines all else', async () => {
    const { wrong, findings } = await examine({
      DATABASE_URL: 'postgres://karras@127.0.0.1:1/karras',
    })
    expect(wrong.map(({ check }) => check)).toEqual(['database'])
    expect(wrong[0]?.found).toContain('ECONNREFUSED')
    expect(foundOf(findings, 'address')).toBe(`${app.url} is this shop`)
  })

  test('of another version: goes no further in it', async () => {
    const fresh = await aDatabase()
    await fresh.database.pool.query("DELETE FROM kysely_migration WHERE name > '0003'")
    expect((await examine({ DATABASE_URL: fresh.url })).checks).toEqual(['migrations'])
  })

  test('DATABASE_LISTEN_URL that hears nothing: another database, or nothing there', async () => {
    const other = await aDatabase()
    const gone = await proxyTo(app.databaseUrl)
    gone.refuse()
    const [deaf, away, right] = await Promise.all([
      examine({ DATABASE_LISTEN_URL: other.url }),
      examine({ DATABASE_LISTEN_URL: gone.url }),
      examine({ DATABASE_LISTEN_URL: app.databaseUrl }),
    ])
    expect(deaf.checks).toEqual(['listening'])
    expect(deaf.wrong[0]?.found).toContain('nothing was heard')
    expect(away.checks).toEqual(['listening'])
    expect(away.wrong[0]?.found).toContain('connection failed')
    expect(right.wrong).toEqual([])
  })

  test('connections, limits, durability and rights', async () => {
    const fresh = await aDatabase()
    const { pool } = fresh.database
    const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name')
    const name = rows[0]?.name ?? ''
    const other = `r${name}`
    await pool.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    await pool.query(`CREATE ROLE ${other} LOGIN CONNECTION LIMIT 8`)
    await pool.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public, jobs TO ${other}`)
    await pool.query(`GRANT USAGE ON SCHEMA public, jobs TO ${other}`)
    onTestFinished(async () => {
      await pool.query(`DROP OWNED BY ${other}; DROP ROLE ${other}`)
    })
    await office({ ...app, databaseUrl: fresh.url }, ['backup', 'note'])
    // The server of the tests lets only its superuser log in, who may act as any role.
    const asOther = `${fresh.url}${fresh.url.includes('?') ? '&' : '?'}options=-c%20role%3D${other}`
    const { wrong, findings } = await examine({ DATABASE_URL: asOther })
    expect(foundOf(findings, 'durability')).toContain('synchronous_commit is off')
    expect(wrong).toEqual([
      expect.objectContaining({
        check: 'connections',
        found: '8 are allowed, 1 process of the shop may need 11',
      }),
      expect.objectContaining({ check: 'rights', found: expect.stringContaining('another role') }),
    ])
  })
})

describe('the services', () => {
  test('a mail server, a gateway and a directory of files', async () => {
    const mail = await smtpServer()
    const konnect = await startKonnect()
    onTestFinished(() => mail.close())
    onTestFinished(() => konnect.stop())
    const right = await examine({ SMTP_URL: mail.url, ...konnect.env })
    expect(right.wrong).toEqual([])
    expect(mail.connections()).toBe(1)
    expect(mail.mails).toEqual([])
    expect(konnect.requests.map(({ method }) => method)).toEqual(['GET'])
    const missing = join(temporaryDirectory(), 'not-mounted')
    const { wrong } = await examine({
      ...konnect.env,
      KONNECT_API_KEY: 'another',
      SMTP_URL: 'smtp://127.0.0.1:1',
      FILES_URL: missing,
    })
    expect(wrong.map(({ check, found }) => [check, found])).toEqual([
      ['storage', `${missing} does not exist`],
      ['outbox', expect.stringContaining('ECONNREFUSED')],
      ['gateway', 'Konnect refuses KONNECT_API_KEY'],
    ])
  })
})

describe('the address', () => {
  test('nothing there, or something else', async () => {
    const closed = `http://127.0.0.1:${await closedPort()}`
    expect((await examine({ SITE_URL: closed })).wrong).toEqual([
      expect.objectContaining({ check: 'address', found: expect.stringContaining('ECONNREFUSED') }),
    ])
    const other = await serving((_, response) => response.end('{"nonce":"of another"}'))
    expect((await examine({ SITE_URL: other })).wrong).toEqual([
      expect.objectContaining({ found: `${other} answers 200, and is not this shop` }),
    ])
    const { checks } = await examine({ SITE_URL: 'http://shop.example', HOST: '0.0.0.0' })
    expect(checks).toEqual(['address', 'outbox'])
  })

  test('a proxy that names no clients, compresses nothing and upgrades nothing', async () => {
    const proxy = await serving((request, response) => {
      const { upgrade, connection, ...kept } = request.headers
      delete kept['x-forwarded-for']
      delete kept['accept-encoding']
      forward(request, response, kept)
    })
    expect((await examine({ SITE_URL: proxy })).checks).toEqual([
      'proxy',
      'compression',
      'upgrades',
    ])
  })

  test('a proxy that is not trusted', async () => {
    // The stand-in answers as a shop would that the proxy of another machine asks.
    const url = await serving((request, response) => {
      const [, claims = ''] = String(request.headers.authorization).split('.')
      const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
      const client = { peer: '10.0.0.5', isTrusted: false, client: '10.0.0.5' }
      response.end(JSON.stringify({ nonce: jti, ...client, forwardedFor: '203.0.113.1' }))
    })
    const { wrong } = await examine({ SITE_URL: url })
    expect(wrong[0]).toEqual({
      check: 'proxy',
      found: '10.0.0.5 names its clients and is not trusted: they share one allowance',
      advice: 'add its address to TRUSTED_PROXIES, and start the shop again',
    })
  })

  test('https: its certificate, and what the proxy does with claimed addresses', async () => {
    let name = (claimed: string) => `${claimed}, 203.0.113.9`
    const url = await serving((request, response) => {
      const claimed = name(String(request.headers['x-forwarded-for']))
      forward(request, response, { ...request.headers, 'x-forwarded-for': claimed })
    }, CERTIFICATE)
    const untrusted = await examine({ SITE_URL: url })
    expect(untrusted.wrong.map(({ found }) => found)).toEqual([
      expect.stringContaining(`${url} does not answer`),
      expect.stringContaining('browsers refuse it (DEPTH_ZERO_SELF_SIGNED_CERT)'),
    ])
    const right = await examineSecure(url)
    expect(foundOf(right, 'certificate')).toMatch(/^it ends on 2120-01-01, in \d+ days$/)
    expect(right.find(({ check }) => check === 'proxy')).toEqual({
      check: 'proxy',
      found: '127.0.0.1 is trusted, and names its clients (this machine is 203.0.113.9)',
    })
    name = (claimed) => claimed
    expect(foundOf(await examineSecure(url), 'proxy')).toBe(
      '127.0.0.1 passes on whatever address a client claims',
    )
  })

  test('https: a certificate that ends within days, and one that has ended', async () => {
    const examined = async (end: Date) => {
      const certificate = certificateUntil(end)
      const url = await serving(forwardAsProxy, certificate)
      return find(await examineSecure(url, certificate.cert), 'certificate')
    }
    const soon = new Date(Date.now() + 5.5 * DAY_MS)
    const advice = 'renew it, and see why that did not happen by itself (certbot renew)'
    expect(await examined(soon)).toEqual({
      check: 'certificate',
      found: `it ends on ${soon.toISOString().slice(0, 10)}, in 5 days`,
      advice,
    })
    expect((await examined(new Date(Date.now() + 15.5 * DAY_MS)))?.advice).toBeUndefined()
    expect(await examined(new Date('2026-01-31'))).toEqual({
      check: 'certificate',
      found: 'it ended on 2026-01-31',
      advice,
    })
  })

  test('http beside https: redirected there, answered, or redirected elsewhere', async () => {
    const secure = await serving(forwardAsProxy, CERTIFICATE)
    // An address without a port, reached through a proxy for outgoing requests, which the doctor's
    // process then uses: so no test needs the ports 80 and 443.
    const siteUrl = 'https://127.0.0.1'
    let target = ''
    const plain = createServer((_, response) => {
      response.writeHead(target ? 301 : 200, target ? { location: target } : {}).end()
    })
    plain.on('connect', ({ url = '' }, client) => {
      const { port } = url.endsWith(':443') ? new URL(secure) : { port: plainPort }
      const upstream = connect(Number(port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      for (const socket of [client, upstream]) socket.on('error', () => {})
    })
    const plainPort = await listening(plain)
    const proxy = `http://127.0.0.1:${plainPort}`
    const through = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
    const redirected = async (to: string) => {
      target = to
      return find(await examineSecure(siteUrl, CERTIFICATE.cert, through), 'redirect')
    }
    expect(await redirected(`${siteUrl}/`)).toEqual({
      check: 'redirect',
      found: 'http://127.0.0.1 answers 301 and leads to https',
    })
    const advice = 'have the proxy redirect http to https'
    expect(await redirected('')).toEqual({
      check: 'redirect',
      found: 'http://127.0.0.1 answers 200',
      advice,
    })
    expect((await redirected('https://127.0.0.1.example/'))?.advice).toBe(advice)
  })
})

describe(`GET ${SEEN_PATH}`, () => {
  const see = (authorization?: string) =>
    app.request('GET', SEEN_PATH, { ...(authorization && { headers: { authorization } }) })

  test('answers callers with the secret of the shop, and nobody else', async () => {
    const token = await signNonce(app.deps.secret, 'once')
    expect(await see(`Bearer ${token}`)).toMatchObject({ status: 200, body: { nonce: 'once' } })
    const admin = await app.anOfficeAdministrator()
    const others = [
      undefined,
      'Bearer ',
      'Bearer a.b.c',
      `Bearer ${'x'.repeat(10_000)}`,
      `Bearer ${admin.token}`,
      `Bearer ${await signNonce(new Uint8Array(32), 'once')}`,
      `Bearer ${token.slice(0, -2)}`,
    ]
    for (const authorization of others) expect((await see(authorization)).status).toBe(401)
  })

  test('the token opens nothing else, and ends soon', async () => {
    const token = await signNonce(app.deps.secret, 'once')
    const answer = await app.request('GET', '/api/office/waiting', { as: { token } })
    expect([401, 404]).toContain(answer.status)
    const [, claims = ''] = token.split('.')
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(exp * 1000 - Date.now()).toBeLessThan(DAY_MS / 24)
  })
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const server = createTcpServer()
  const port = await listening(server)
  await new Promise((closed) => server.close(closed))
  return port
}

/** The address of a server that answers so until the test is over. */
async function serving(answer: RequestListener, certificate?: typeof CERTIFICATE): Promise<string> {
  const server = certificate ? createSecureServer(certificate, answer) : createServer(answer)
  onTestFinished(() => server.closeAllConnections())
  const port = await listening(server)
  return `http${certificate ? 's' : ''}://127.0.0.1:${port}`
}

/** Passes a request on as a proxy does that names its clients. */
const forwardAsProxy: RequestListener = (request, response) =>
  forward(request, response, { ...request.headers, 'x-forwarded-for': '203.0.113.9' })

/** Passes a request on to the shop of the test, with other headers. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  headers: IncomingMessage['headers'],
): void {
  const passed = send(app.url + request.url, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', () => response.destroy())
  request.pipe(passed)
}

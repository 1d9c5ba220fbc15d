/**
 * An operator's hour: runs the commands of README.md, docs/operating.md and docs/operating/backup.md
 * as they are written, from an empty machine to a restored backup. `node tests/operator/hour.ts [--from <commit>] [--port <n>]`
 * as root on Linux. With `--from` it installs that version first, updates it to this one, and goes
 * the way back and forth once more.
 *
 * It runs in a mount namespace of its own, in which `/opt`, `/srv`, `/backups`, `/etc`, `/home`,
 * `/root` and `/usr/local/bin` are copies or empty: nothing of the machine changes. systemd is
 * played by `tests/operator/systemctl`, which reads the shop's unit. nginx and its certificate
 * are left out; `SITE_URL`'s host is not needed, since the shop is called on its own port.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Column } from '../../src/server/documents/import/columns.ts'

const ROOT = join(import.meta.dirname, '../..')
const { from, port } = parseArgs({
  options: { from: { type: 'string' }, port: { type: 'string', default: '4931' } },
}).values
const ADDRESS = `http://127.0.0.1:${port}`
const ROW: Partial<Record<Column, string>> = {
  reference: 'K-1',
  title: 'الكسور العشرية',
  description: 'عشرون تمرينا',
  price: '7.5',
  subject: 'mathematics',
  class: 'primary-6',
  category: 'exercises',
  teacher_email: 'teacher@mail.example',
  teacher_first_name: 'سلمى',
  teacher_last_name: 'بن عمر',
  file: 'fractions.pdf',
}
const IN_NAMESPACE = 'KARRAS_OPERATORS_MACHINE'

if (process.env[IN_NAMESPACE] === undefined) {
  const machine = mkdtempSync(join(tmpdir(), 'karras-operator-'))
  try {
    // --kill-child: whatever happens, no shop is left behind.
    const { status } = spawnSync(
      'unshare',
      [
        '--mount',
        '--pid',
        '--fork',
        '--kill-child',
        '--mount-proc',
        // The shell stays, as the namespace's first process: it takes leave of ended orphans.
        'sh',
        '-c',
        '"$@"; exit $?',
        'hour',
        process.execPath,
        ...process.argv.slice(1),
      ],
      { stdio: 'inherit', env: { ...process.env, [IN_NAMESPACE]: machine } },
    )
    process.exitCode = status ?? 1
  } finally {
    rmSync(machine, { recursive: true, force: true })
  }
} else await anHour(process.env[IN_NAMESPACE])

async function anHour(machine: string): Promise<void> {
  prepareMachine(machine)
  const timings: [string, number][] = []
  const step = async (name: string, work: () => unknown) => {
    const startedAt = performance.now()
    console.log(`\n== ${name}`)
    await work()
    timings.push([name, (performance.now() - startedAt) / 1000])
  }
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  const backups = readFileSync(join(ROOT, 'docs/operating/backup.md'), 'utf8')
  const office = (...typed: string[]) => run(`karras ${typed.join(' ')}`)

  const origin = join(machine, 'origin.git')
  const head = git('rev-parse', 'HEAD')
  git('clone', '--quiet', '--bare', ROOT, origin)
  const publish = (commit: string) =>
    git('--git-dir', origin, 'update-ref', 'refs/heads/main', git('rev-parse', commit))
  publish(from ?? head)
  git('--git-dir', origin, 'symbolic-ref', 'HEAD', 'refs/heads/main')

  // An update begins where an earlier hour has ended.
  if (from === undefined) {
    await step('README, Two commands: a demo shop, private', async () => {
      run(`git clone --quiet ${origin} /home/try`)
      const [install] = blocksOf(readme, 'Two commands')
      // `npm start` stays in the foreground: it is interrupted, as by Ctrl-C, once the shop has answered.
      console.log(`  $ ${install?.trim()}`)
      const shop = spawn('sh', ['-ec', install ?? ''], {
        cwd: '/home/try',
        env: environment({ HOME: '/home', DATA_DIR: '/home/data' }),
        stdio: 'ignore',
        detached: true,
      })
      const ended = once(shop, 'exit')
      await until(() => status('/readyz') === 200, 'the demo shop is ready')
      expect(status('/fr/shop') === 200, 'a page answers')
      process.kill(-(shop.pid ?? 0), 'SIGINT')
      await ended
      await until(() => status('/readyz') !== 200, 'it has stopped')
      run('rm -rf /home/try /home/data')
    })
  }

  await step('Setting up a shop, 1: as a user of its own', async () => {
    run(`git clone --quiet ${origin} /opt/karras`)
    const [install = '', settings = '', unit = '', script = '', start = ''] = blocksOf(
      operating,
      'Setting up a shop',
    )
    run(install)
    // Only the port is this script's: other shops may run on this machine.
    writeFile('/etc/karras.env', `${settings}PORT=${port}\n`, 0o600)
    writeFile('/etc/systemd/system/karras.service', unit, 0o644)
    writeFile('/usr/local/bin/karras', script, 0o755)
    run(start)
  })

  const people = { token: '', userId: 0 }
  const balance = async () =>
    (await call('GET', `/wallet/balance?userId=${people.userId}`, undefined, people.token)).balance
  /** Versions before `call` had a command for each thing. */
  const since = (typed: string, before: string) => office(from === undefined ? typed : before)
  await step('Setting up a shop, 3: administrator, customer, top-up', async () => {
    const link = office('create-admin you@mail.example').match(/\?token=(\S+)/)?.[1]
    const owner = { firstName: 'Salma', lastName: 'Zouari', password: 'a password of 2026' }
    await call('POST', '/office/invitation/accept', { token: link, ...owner })
    // Versions before this command offered D17 without a number.
    if (!from) {
      office('call saveD17 revision=0 value.phone=98123456 "value.holder=Salma Zouari" --yes')
    }
    const account = { firstName: 'Amal', lastName: 'Ben Salah', email: 'amal@mail.example' }
    const more = { phone: '98000000', gender: 'female', username: 'amal', role: ['PARENT'] }
    await call('POST', '/auth/register', { ...account, ...more, password: 'her own of 2026' })
    const login = { username: account.email, password: 'her own of 2026' }
    people.token = String((await call('POST', '/auth/login', login)).accessToken)
    people.userId = JSON.parse(atob(people.token.split('.')[1] ?? '')).userId
    const wish = { userId: people.userId, amount: 30, paymentMethod: 'D17' }
    await call('POST', '/wallet/recharge/initiate', wish, people.token)
    const waiting = since('call listTransfers', 'transfers --json')
    const reference = /[0-9a-f]{24}/.exec(waiting)?.[0] ?? 'none'
    office(`confirm ${reference}`)
    expect((await balance()) === 30, 'the money is there')
  })

  await step('Many documents at once, and a sale', async () => {
    run('install -d -o karras /srv/list')
    office('import --template /srv/list')
    // One row in place of the template's example, whose files do not exist.
    const pdf = 'src/server/demo/data/printed/20.pdf'
    copyFileSync(join(ROOT, pdf), '/srv/list/fractions.pdf')
    // The columns that every version has.
    const lines = [Object.keys(ROW), Object.values(ROW)].map((cells) => cells.join(','))
    writeFile('/srv/list/catalogue.csv', `${lines.join('\n')}\n`, 0o644)
    expect(office('import /srv/list').includes('1 new document'), 'one document is new')
    const { content } = await call('GET', '/documents/paginated')
    const documentId = (content as { id: number }[])[0]?.id ?? 0
    const body = { userId: people.userId, documentIds: [documentId] }
    await call('POST', '/wallet/pay', body, people.token)
    if (from !== undefined) office(`document ${documentId} set price=12.5`)
    else {
      const change = `chosen.ids=${documentId} change.kind=price change.price=12.5`
      const id = /^id: (\d+)$/m.exec(office(`call previewBulkChange ${change}`))?.[1]
      office(`call applyBulkChange id=${id} reason=Test --yes`)
    }
    office('ledger check')
  })

  await step('Backup', () => {
    run(blocksOf(backups, 'Backup and restore')[0] ?? '')
    office('backup check /backups/karras-2026-03-05.karras')
  })

  if (from !== undefined) {
    await step('Updating', async () => {
      publish(head)
      for (const block of blocksOf(operating, 'Updating').slice(0, 2)) {
        // The version before this one has no `version` yet.
        run(from === undefined ? block : block.replace(/^karras version\n/m, 'true\n'))
      }
      expect(office('version').includes('that of this version'), 'the database is this version’s')
      expect((await balance()) !== undefined, 'her account is there')
      office('ledger check')
    })
    await step('The way back, and forth again', async () => {
      const back = blocksOf(operating, 'Updating')[3] ?? ''
      // Without the new /srv/karras there is nothing to put aside a second time.
      run(back)
      await until(() => status('/readyz') === 200, 'the former version is ready')
      office('ledger check')
      run('systemctl stop karras && rm -rf /opt/karras /srv/karras')
      run('mv /opt/karras-next /opt/karras && mv /srv/karras-after /srv/karras')
      run('systemctl start karras')
      await until(() => status('/readyz') === 200, 'this version is ready again')
    })
  }

  await step('What the shop says of its mail', () => {
    // The mail server of the settings does not exist.
    const tested = run('karras mails test you@mail.example || echo "exit $?"')
    expect(tested.includes('exit 1') && tested.includes('not taken by mail.example'), 'it says so')
    expect(office('mails').includes('FAILING since'), 'and since when')
    expect(office('call getWaiting').includes('mail'), 'and what waits')
    expect(run('karras doctor || true').includes('WRONG  mail'), 'and the doctor')
    const help = run('karras --help')
    expect(help.includes('Usage: karras <command>'), 'advice names the command that works here')
    expect(office('version').includes('built on'), 'it says when it was built')
  })

  await step('Restoring, step by step', async () => {
    const before = await balance()
    run(blocksOf(backups, 'Restoring, step by step')[0] ?? '')
    await until(() => status('/readyz') === 200, 'the restored shop is ready')
    expect(office('ledger check').includes('The ledger is sound'), 'its ledger is sound')
    expect(office('version').includes('Restored from the backup of'), 'it knows its backup')
    expect((await balance()) === before, 'her account is as it was')
    // With the previous secret, log-ins go on.
    await call('GET', `/wallet/balance?userId=${people.userId}`, undefined, people.token)
  })

  run('systemctl stop karras')
  console.log('\nAll of it worked.')
  for (const [name, seconds] of timings) console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`)
}

/** Gives this process directories of its own in place of the machine's. */
function prepareMachine(machine: string): void {
  const bind = (path: string, isCopy: boolean) => {
    const own = join(machine, path)
    mkdirSync(own, { recursive: true })
    if (isCopy) execFileSync('cp', ['-a', `${path}/.`, own])
    mkdirSync(path, { recursive: true })
    execFileSync('mount', ['--bind', own, path])
  }
  execFileSync('chmod', ['0711', machine])
  for (const path of ['/etc', '/usr/local/bin']) bind(path, true)
  for (const path of ['/opt', '/srv', '/backups', '/home', '/root']) bind(path, false)
  copyFileSync(join(ROOT, 'tests/operator/systemctl'), '/usr/local/bin/systemctl')
  execFileSync('chmod', ['0755', '/usr/local/bin/systemctl'])
  // `npm ci` of root and of the shop's user; a clone of a directory of another user.
  execFileSync('git', ['config', '--system', '--add', 'safe.directory', '*'])
}

/** The fenced blocks below a heading, up to the next one of its level or above, as written. */
function blocksOf(document: string, heading: string): string[] {
  const blocks: string[] = []
  let level = 0
  let block: string[] | null = null
  for (const line of document.split('\n')) {
    const [, marks = '', title = ''] = /^(#+) (.*)$/.exec(line) ?? []
    if (block === null && marks !== '') {
      if (title === heading) level = marks.length
      else if (marks.length <= level) level = 0
    }
    if (!line.startsWith('```')) block?.push(line)
    else if (block === null) block = []
    else {
      if (level > 0) blocks.push(`${block.join('\n')}\n`)
      block = null
    }
  }
  if (blocks.length === 0) throw new Error(`There are no commands below "${heading}".`)
  return blocks
}

/** Runs commands as written, with the port of this script; returns what they print. */
function run(commands: string, env: Record<string, string> = {}): string {
  const written = commands.replaceAll('127.0.0.1:4321', `127.0.0.1:${port}`)
  console.log(written.trim().replace(/^/gm, '  $ '))
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', written], {
    encoding: 'utf8',
    env: environment(env),
    maxBuffer: 1e8,
  })
  const out = `${stdout}${stderr}`
  console.log(out.trim().split('\n').slice(-12).join('\n').replace(/^/gm, '    '))
  if (status !== 0) throw new Error(`It ended with ${status}: ${written}\n${out}`)
  return out
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return { PATH: path, HOME: '/root', PORT: String(port), ...more }
}

function git(...typed: string[]): string {
  return execFileSync('git', typed, { cwd: ROOT, encoding: 'utf8' }).trim()
}

function writeFile(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}

function status(path: string): number {
  const asked = spawnSync('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', ADDRESS + path])
  return Number(asked.stdout.toString())
}

async function call(method: string, path: string, body?: unknown, token?: string) {
  const answer = await fetch(`${ADDRESS}/api${path}`, {
    method,
    headers: {
      // The shop is stopped and started between calls.
      connection: 'close',
      'content-type': 'application/json',
      'idempotency-key': `${method} ${path}`,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const since = Date.now(); !isSo(); await delay(500)) {
    if (Date.now() - since > 300_000) throw new Error(`After five minutes not: ${what}`)
  }
  console.log(`  ✓ ${what}`)
}

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Not so: ${what}`)
  console.log(`  ✓ ${what}`)
}

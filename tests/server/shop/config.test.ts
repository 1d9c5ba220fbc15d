// @one-database: it is about settings.
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, realBecause } from '../../../src/server/config/config.ts'
import { temporaryDirectory } from '../../support/directory.ts'

const SECRET = 's'.repeat(32)

describe('readConfig', () => {
  test('an empty environment gives the defaults', () => {
    expect(readConfig({}, '/srv')).toEqual({
      host: '127.0.0.1',
      port: 4321,
      siteUrl: 'http://127.0.0.1:4321',
      knowsAddress: true,
      hasSiteUrl: false,
      dataDir: '/srv/data',
      files: { kind: 'directory', path: '/srv/data/files' },
      databaseUrl: null,
      databaseListenUrl: null,
      databasePool: 10,
      trustedProxies: ['loopback'],
      apiOrigin: null,
      jwtSecret: null,
      payment: { provider: 'sandbox' },
      smtpUrl: null,
      ownerEmail: null,
      sms: null,
      officeUrl: null,
      cdn: null,
      keepsPages: true,
      chatMail: true,
      overloadDelay: 1000,
      drainSeconds: 0,
      metricsToken: null,
      demo: true,
      production: false,
      officeCommand: 'npm run --silent office --',
    })
  })

  test('reads every variable', () => {
    const config = readConfig({
      HOST: '::1',
      PORT: '80',
      SITE_URL: 'https://karras.tn/',
      DATA_DIR: '/var/karras',
      FILES_URL: 's3://karras.files/shop/?endpoint=http://127.0.0.1:9000/&region=eu-west-3',
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SECRET_ACCESS_KEY: 'secret/+',
      AWS_SESSION_TOKEN: 'session',
      DATABASE_URL: 'postgresql://karras:pw@a:5432,b:5432/karras?target_session_attrs=read-write',
      DATABASE_LISTEN_URL: 'postgresql://karras:pw@a:5432/karras',
      DATABASE_POOL: '20',
      TRUSTED_PROXIES: '10.0.0.5, 192.168.1.0/24',
      API_ORIGIN: 'http://api.internal:8080',
      JWT_SECRET: SECRET,
      PAYMENT_PROVIDER: 'konnect',
      KONNECT_API_KEY: '0123:abc',
      KONNECT_WALLET_ID: 'w1',
      KONNECT_METHODS: 'flouci, bank_card',
      KONNECT_BASE_URL: 'http://127.0.0.1:9999/api/v2/',
      SMTP_URL: 'smtps://user:pw@mail:465',
      OWNER_EMAIL: 'owner@karras.tn',
      SMS_URL: 'https://sms.example/v1/send',
      SMS_HEADERS: 'Authorization: Bearer key | X-From: Karras',
      SMS_BODY: '{"to":"216{phone}","text":"{text}"}',
      SMS_ACCEPTED: '"ok"',
      SMS_PER_DAY: '500',
      SMS_NEWS: '1',
      OFFICE_URL: 'https://office.karras.tn/sign-in',
      CDN_SECONDS: '600',
      OFFLINE: '0',
      CHAT_MAIL: '0',
      OVERLOAD_DELAY: '0',
      DRAIN_SECONDS: '5',
      METRICS_TOKEN: 'a-token-of-16-ch',
      DEMO: '1',
      NODE_ENV: 'production',
    })
    expect(config).toEqual({
      host: '::1',
      port: 80,
      siteUrl: 'https://karras.tn',
      knowsAddress: true,
      hasSiteUrl: true,
      dataDir: '/var/karras',
      files: {
        kind: 's3',
        bucket: 'karras.files',
        prefix: 'shop/',
        endpoint: 'http://127.0.0.1:9000',
        region: 'eu-west-3',
        accessKeyId: 'AKIA',
        secretAccessKey: 'secret/+',
        sessionToken: 'session',
      },
      databaseUrl: 'postgresql://karras:pw@a:5432,b:5432/karras?target_session_attrs=read-write',
      databaseListenUrl: 'postgresql://karras:pw@a:5432/karras',
      databasePool: 20,
      trustedProxies: ['loopback', '10.0.0.5', '192.168.1.0/24'],
      apiOrigin: 'http://api.internal:8080',
      jwtSecret: SECRET,
      payment: {
        provider: 'konnect',
        apiKey: '0123:abc',
        walletId: 'w1',
        methods: ['bank_card', 'flouci'],
        baseUrl: 'http://127.0.0.1:9999/api/v2',
      },
      smtpUrl: 'smtps://user:pw@mail:465',
      ownerEmail: 'owner@karras.tn',
      sms: {
        url: 'https://sms.example/v1/send',
        headers: { Authorization: 'Bearer key', 'X-From': 'Karras' },
        body: '{"to":"216{phone}","text":"{text}"}',
        accepted: '"ok"',
        perDay: 500,
        news: true,
      },
      officeUrl: 'https://office.karras.tn/sign-in',
      cdn: { seconds: 600, purge: null },
      keepsPages: false,
      chatMail: false,
      overloadDelay: 0,
      drainSeconds: 5,
      metricsToken: 'a-token-of-16-ch',
      demo: true,
      production: true,
      officeCommand: 'npm run --silent office --',
    })
  })

  test('resolves the directory of files against the working directory', () => {
    const path = (FILES_URL: string) => readConfig({ FILES_URL }, '/srv').files
    expect(path('papers')).toEqual({ kind: 'directory', path: '/srv/papers' })
    expect(path('/mnt/papers')).toEqual({ kind: 'directory', path: '/mnt/papers' })
  })

  test('builds the site address from host and port', () => {
    expect(readConfig({ HOST: '0.0.0.0', PORT: '5000' }).siteUrl).toBe('http://0.0.0.0:5000')
    expect(readConfig({ HOST: '::1' }).siteUrl).toBe('http://[::1]:4321')
  })

  test('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', HOST: ' ', DATABASE_URL: '' }, '/')).toEqual(readConfig({}, '/'))
  })

  test.for([
    [{}, true],
    [{ NODE_ENV: 'production', SITE_URL: 'https://shop.example' }, false],
    [{ DATABASE_URL: 'postgres://db/k', JWT_SECRET: SECRET }, false],
    [{ DATABASE_URL: 'postgres://db/k', JWT_SECRET: SECRET, DEMO: '1' }, true],
    [{ DEMO: '0' }, false],
  ] as const)('%j: demo shop %s', ([env, demo]) => {
    expect(readConfig(env).demo).toBe(demo)
  })

  test.for([
    [{}, null],
    [{ HOST: 'localhost', SITE_URL: 'http://127.0.0.1' }, null],
    [{ HOST: '::1' }, null],
    [{ SITE_URL: 'http://[::1]:5000' }, null],
    [{ NODE_ENV: 'development' }, null],
    [{ NODE_ENV: 'production', SITE_URL: 'https://shop.example' }, /^NODE_ENV is production$/],
    [{ HOST: '0.0.0.0' }, /^HOST is "0\.0\.0\.0"/],
    [{ HOST: '127.0.0.1.example' }, /^HOST is/],
    [{ SITE_URL: 'https://shop.example' }, /^SITE_URL is "https:\/\/shop\.example"/],
    [{ SITE_URL: 'https://localhost.example' }, /^SITE_URL is/],
  ] as const)('%j is a real shop because %s', ([env, why]) => {
    const config = readConfig(env)
    if (why === null) expect(realBecause(config)).toBeNull()
    else expect(realBecause(config)).toMatch(why)
    expect(config.payment.provider).toBe(why === null ? 'sandbox' : 'none')
    // Links would lead nowhere without the shop's address.
    expect(config.knowsAddress).toBe(why === null || 'SITE_URL' in env)
    if (why === null)
      expect(readConfig({ ...env, PAYMENT_PROVIDER: 'none' }).payment.provider).toBe('none')
    else
      expect(messageOf({ ...env, PAYMENT_PROVIDER: 'sandbox' })).toMatch(
        /^PAYMENT_PROVIDER is "sandbox", [^\n]*; allowed is none or konnect, since [^\n]*\.$/,
      )
  })

  test.for([
    ['HOST', 'http://x', '"http://x"'],
    ['PORT', '65536', '"65536"'],
    ['PORT', '80a', '"80a"'],
    ['PORT', '-1', '"-1"'],
    ['SITE_URL', 'karras.tn', '"karras.tn"'],
    ['SITE_URL', 'ftp://karras.tn', '"ftp://karras.tn"'],
    ['SITE_URL', 'https://karras.tn/shop', '"https://karras.tn/shop"'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/x', '"mysql://***@db/x"'],
    ['API_ORIGIN', 'https://u:hunter2@api', '"https://***@api"'],
    ['JWT_SECRET', 'hunter2', 'a secret of 7 characters'],
    ['PAYMENT_PROVIDER', 'paypal', '"paypal"'],
    ['KONNECT_BASE_URL', 'konnect', '"konnect"'],
    ['KONNECT_METHODS', 'bank_card,paypal', '"bank_card,paypal"'],
    ['KONNECT_METHODS', 'wallet,wallet', '"wallet,wallet"'],
    ['SMTP_URL', 'https://mail', '"https://mail"'],
    ['OWNER_EMAIL', 'owner', '"owner"'],
    ['SMS_URL', 'sms.example/{phone}/{text}?key=hunter2', 'a secret of 38 characters'],
    ['SMS_URL', 'https://sms.example/?to={phone}&key=hunter2', 'without {text}'],
    ['SMS_HEADERS', 'hunter2', 'a secret of 7 characters'],
    ['SMS_BODY', '{"to":{phone},"key":"hunter2"}', 'a secret of 30 characters'],
    ['SMS_PER_DAY', '0', '"0"'],
    ['OFFICE_URL', 'javascript:alert(1)', '"javascript:alert(1)"'],
    ['FILES_URL', 'ftp://files', '"ftp://files"'],
    ['FILES_URL', 's3://UPPER/x', '"s3://UPPER/x"'],
    ['FILES_URL', 's3://key:hunter2@bucket', '"s3://***@bucket"'],
    ['DATABASE_URL', 'karras:hunter2@db/x', '"***@db/x"'],
    ['SITE_URL', 'https://u:hunter2@shop.example', '"https://***@shop.example"'],
    ['FILES_URL', 's3://bucket?acl=public', '"s3://bucket?acl=public"'],
    ['FILES_URL', 's3://bucket?endpoint=minio:9000', '"s3://bucket?endpoint=minio:9000"'],
    ['DEMO', 'yes', '"yes"'],
    ['DEMO', 'two\nlines', '"two\\nlines"'],
  ] as const)('refuses %s=%j in one line', ([name, given, shown]) => {
    const message = messageOf({ [name]: given })
    expect(message.startsWith(`${name} is ${shown}; allowed is `)).toBe(true)
    expect(message).not.toMatch(/[\n\r]|hunter2/)
  })

  test.for([
    [undefined, 'nothing'],
    ['', 'nothing'],
    ['http://shop.example', '"http://shop.example"'],
    ['http://127.0.0.1:4321', '"http://127.0.0.1:4321"'],
    ['ftp://shop.example', '"ftp://shop.example"'],
    ['https://shop.example/fr', '"https://shop.example/fr"'],
    ['https:// shop', '"https:// shop"'],
  ] as const)('refuses SITE_URL %j in production, in one line', ([given, shown]) => {
    const env = { NODE_ENV: 'production', ...(given !== undefined && { SITE_URL: given }) }
    expect(messageOf(env)).toBe(
      `SITE_URL is ${shown}; allowed is an https origin like https://shop.example, without a path, since NODE_ENV is production.`,
    )
    // Outside of production an http address does: a school's own network, or this machine alone.
    expect(readConfig({ SITE_URL: 'http://مدرسة.تونس' }).siteUrl).toMatch(/^http:\/\/xn--/)
    expect(readConfig({ SITE_URL: 'http://shop.example' }).siteUrl).toBe('http://shop.example')
  })

  test('names the command that works here by how the process was started', async () => {
    const installed = temporaryDirectory()
    await writeFile(join(installed, 'karras'), '#!/bin/sh\n', { mode: 0o755 })
    const byName = (env: Record<string, string>) => readConfig(env).officeCommand
    const byNpm = 'npm run --silent office --'
    expect(byName({ PATH: `/nowhere::${installed}` })).toBe('karras')
    expect(byName({ PATH: installed, npm_lifecycle_event: 'start' })).toBe(byNpm)
    expect(byName({ PATH: '/nowhere' })).toBe(byNpm)
    await chmod(join(installed, 'karras'), 0o644)
    // A user who may run everything (root) still needs one execute bit.
    expect(byName({ PATH: installed })).toBe(byNpm)
  })

  test.for([
    [{ FILES_URL: 's3://bucket' }, 'AWS_ACCESS_KEY_ID'],
    [{ FILES_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'a' }, 'AWS_SECRET_ACCESS_KEY'],
    [{ DATABASE_URL: 'postgres://db/karras' }, 'JWT_SECRET'],
    [{ SMS_NEWS: '1' }, 'SMS_URL'],
    [{ PAYMENT_PROVIDER: 'konnect' }, 'KONNECT_API_KEY'],
    [{ PAYMENT_PROVIDER: 'konnect', KONNECT_API_KEY: 'k' }, 'KONNECT_WALLET_ID'],
  ] as const)('%j requires %s', ([env, name]) => {
    expect(messageOf(env)).toMatch(new RegExp(`^${name} is nothing`))
  })

  test('returns a config or says what is wrong, for any input', () => {
    const names = ['HOST', 'PORT', 'SITE_URL', 'DATABASE_URL', 'JWT_SECRET', 'SMTP_URL', 'DEMO']
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (env) => {
        try {
          expect(readConfig(env).port).toBeGreaterThanOrEqual(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError)
        }
      }),
    )
  })
})

function messageOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
  }
  throw new Error('it was accepted')
}

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  policyOf,
  policyOfBuilt,
} from '../../../src/server/publishing/answers/content-security-policy.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A policy as Astro writes it, with everything that the build can inline. */
const astros =
  "default-src 'none';frame-src 'self'; " +
  `script-src 'self'  ${hashOf('one("ك")')} ${hashOf('two()')}; ` +
  `style-src 'self' ${hashOf('a{}')} ${hashOf('b{}')};`

test('a page keeps the scripts and styles that it contains, and adds none', () => {
  const html = '<script>one("ك")</script><style>b{}</style><script>evil()</script>'
  const directives = policyOf(Buffer.from(html), astros).split('; ')
  expect(directives).toEqual([
    "default-src 'none'",
    "frame-src 'self'",
    `script-src 'self' ${hashOf('one("ك")')}`,
    `style-src 'self' ${hashOf('b{}')}`,
    "frame-ancestors 'none'",
  ])
})

test('a page may say who frames it', () => {
  const policy = policyOf(Buffer.alloc(0), "default-src 'none';frame-ancestors 'self'")
  expect(policy).toBe("default-src 'none'; frame-ancestors 'self'")
})

test('a prerendered page allows what it contains', () => {
  const policy = policyOfBuilt(Buffer.from('<script>one()</script><style>b{}</style>'))
  expect(policy).toContain(
    `script-src 'self' ${hashOf('one()')}; style-src 'self' ${hashOf('b{}')}`,
  )
})

test('is strict, also where Astro sent no policy', () => {
  for (const policy of [policyOf(Buffer.alloc(0)), policyOfBuilt(Buffer.alloc(0))]) {
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
  }
})

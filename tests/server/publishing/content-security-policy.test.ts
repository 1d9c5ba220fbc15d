import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentSecurityPolicy } from '../../../src/server/publishing/site/content-security-policy.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('a page allows the scripts and styles that it contains, and no others', () => {
  const policyOf = contentSecurityPolicy(['one("ك")', 'two()', ''], ['a{}', 'b{}'])
  const policy = policyOf(
    Buffer.from('<script>one("ك")</script><style>b{}</style><script>evil()</script>'),
  )

  expect(policy).toContain(`script-src 'self' ${hashOf('one("ك")')};`)
  expect(policy).toMatch(new RegExp(`style-src 'self' ${hashOf('b{}').replaceAll('+', '\\+')}$`))
  expect(policy).not.toContain(hashOf('evil()'))
  expect(policy).not.toContain(hashOf(''))
})

test('is strict', () => {
  const policy = contentSecurityPolicy([], [])(Buffer.alloc(0))
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
})

import { escapeHtml } from '../http/html.ts'
import type { Schema } from './describe-struct.ts'
import { openapi } from './openapi.ts'

type Operation = {
  operationId: string
  description?: string
  tags: string[]
  security?: unknown
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>
}

/** The API reference as one page of HTML, for `/api/docs` in development. */
export function apiPage(): string {
  const paths = openapi().paths as Record<string, Record<string, Operation>>
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call })),
  )
  const byResource = Map.groupBy(calls, ({ call }) => call.tags[0] ?? '')
  const sections = [...byResource].map(
    ([resource, found]) => `<h2 id="${resource}">${resource}</h2>${found.map(section).join('')}`,
  )
  const menu = [...byResource.keys()].map((name) => `<a href="#${name}">${name}</a>`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Karras API</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}
pre{background:#f3f4f8;padding:.75rem;overflow:auto}summary{cursor:pointer;padding:.25rem 0}
nav a{margin-inline-end:1rem}</style>
<h1>Karras API</h1><nav>${menu.join('')}</nav>${sections.join('')}</html>`
}

function section({ path, method, call }: { path: string; method: string; call: Operation }) {
  const parts = [
    ...call.parameters.map((each) => part(`${each.in} ${each.name}`, each.schema)),
    ...Object.values(call.requestBody?.content ?? {}).map(({ schema }) => part('body', schema)),
    ...Object.entries(call.responses).map(([status, { description, content }]) =>
      part(`${status} ${description}`, content?.['application/json']?.schema),
    ),
  ]
  return `<details id="${call.operationId}"><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>
${call.operationId}${call.security ? ' · token' : ''}</summary><p>${escapeHtml(call.description ?? '')}</p>${parts.join('')}</details>`
}

function part(title: string, schema: Schema | undefined): string {
  const shape =
    schema && !schema.$ref ? `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>` : ''
  return `<p>${escapeHtml(title)}</p>${shape}`
}

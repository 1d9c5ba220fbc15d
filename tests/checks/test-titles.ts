import ts from 'typescript'
import { read } from './source.ts'

const FUNCTIONS = new Set(['test', 'it', 'describe'])
// What never runs proves nothing.
const UNRUN = new Set(['skip', 'todo', 'fails'])

/** `test`, `test.each`, `describe.skipIf` …: the names of a callee; null for any other function. */
function namesOf(callee: ts.Expression): string[] | null {
  if (ts.isIdentifier(callee)) return FUNCTIONS.has(callee.text) ? [callee.text] : null
  if (ts.isCallExpression(callee)) return namesOf(callee.expression)
  if (!ts.isPropertyAccessExpression(callee)) return null
  const names = namesOf(callee.expression)
  return names && [...names, callee.name.text]
}

function titleOf(argument: ts.Expression | undefined): string | null {
  if (!argument) return null
  if (ts.isStringLiteralLike(argument)) return argument.text
  return ts.isTemplateExpression(argument) ? argument.getText().slice(1, -1) : null
}

/** The tests of a file as they are written: the titles of their describes and their own, by ` › `. */
export function testTitles(file: string): Set<string> {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
  const titles = new Set<string>()
  const visit = (node: ts.Node, path: readonly string[]) => {
    if (ts.isCallExpression(node)) {
      const names = namesOf(node.expression)
      const title = names && titleOf(node.arguments[0])
      // `test.each(rows)` itself has no title yet: its rows come first.
      const hasBody = node.arguments.slice(1).some(ts.isFunctionLike)
      if (names && title !== null && hasBody && !names.some((name) => UNRUN.has(name))) {
        const inside = [...path, title]
        if (names[0] !== 'describe') titles.add(inside.join(' › '))
        for (const argument of node.arguments) visit(argument, inside)
        return
      }
    }
    ts.forEachChild(node, (child) => visit(child, path))
  }
  visit(source, [])
  return titles
}

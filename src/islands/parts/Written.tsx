import type { Block, Inline } from '../../contract/site.ts'

/** A text that administrators wrote, as elements; nothing in it is interpreted as HTML. */
export function Written({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is always rendered as a whole
    <WrittenBlock key={at} block={block} />
  ))
}

function WrittenBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Tag = `h${block.level}` as 'h2'
      return (
        <Tag id={block.id}>
          <Line pieces={block.children} />
        </Tag>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Line pieces={block.children} />
        </p>
      )
    case 'list': {
      const items = block.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <li key={at}>
          <Item blocks={item} isTight={block.isTight} />
        </li>
      ))
      if (!block.isOrdered) return <ul>{items}</ul>
      return <ol start={block.start === 1 ? undefined : block.start}>{items}</ol>
    }
    case 'quote':
      return (
        <blockquote>
          <Written blocks={block.blocks} />
        </blockquote>
      )
    case 'code':
      return <pre dir="ltr">{block.text}</pre>
    case 'rule':
      return <hr />
  }
}

/** The content of a list item: lines in a tight list, otherwise paragraphs. */
function Item({ blocks, isTight }: { blocks: readonly Block[]; isTight: boolean }) {
  if (!isTight) return <Written blocks={blocks} />
  return blocks.map((block, at) =>
    block.kind === 'paragraph' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Line key={at} pieces={block.children} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <WrittenBlock key={at} block={block} />
    ),
  )
}

function Line({ pieces }: { pieces: readonly Inline[] }) {
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Piece key={at} piece={piece} />
  ))
}

function Piece({ piece }: { piece: Inline }) {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'code':
      return <code>{piece.text}</code>
    case 'break':
      return <br />
    case 'strong':
      return (
        <strong>
          <Line pieces={piece.children} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Line pieces={piece.children} />
        </em>
      )
    case 'link':
      return (
        <a href={piece.href}>
          <Line pieces={piece.children} />
        </a>
      )
  }
}

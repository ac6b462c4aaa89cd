import { t } from '@lingui/core/macro'
import { decodeHTML } from 'entities/decode'
import type { Token, Tokens } from 'marked'
import { type ComponentType, Fragment, type ReactNode } from 'react'

interface MarkdownProps {
  tokens: Token[]
  /** The level of the highest heading. */
  top: 2 | 3
  Link: ComponentType<{ href: string; children: ReactNode }>
  /** Without it, pictures are left out. */
  Picture?: ComponentType<{ url: string; alt: string }>
}

/** Markdown as elements. HTML in it is left out. Each block has the direction of its own letters. */
export function Markdown({ tokens, top, Link, Picture }: MarkdownProps) {
  // Indexes are good keys, because a text never changes while it is shown.
  function draw(token: Token, key: number): ReactNode {
    const inner = () => ('tokens' in token && token.tokens ? token.tokens.map(draw) : textOf(token))
    switch (token.type) {
      case 'heading': {
        const Heading = `h${Math.min(Math.max(token.depth + top - 2, top), 6)}` as 'h2'
        return (
          <Heading key={key} dir="auto">
            {inner()}
          </Heading>
        )
      }
      case 'paragraph':
        return (
          <p key={key} dir="auto">
            {inner()}
          </p>
        )
      case 'strong':
        return <strong key={key}>{inner()}</strong>
      case 'em':
        return <em key={key}>{inner()}</em>
      case 'br':
        return <br key={key} />
      case 'codespan':
        return <code key={key}>{token.text}</code>
      case 'code':
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys
          <pre key={key} tabIndex={0} dir="ltr">
            <code>{token.text}</code>
          </pre>
        )
      case 'blockquote':
        return <blockquote key={key}>{inner()}</blockquote>
      case 'list':
        return drawList(token as Tokens.List, key)
      case 'table':
        return drawTable(token as Tokens.Table, key)
      case 'link':
        return (
          <Link key={key} href={decodeHTML(token.href)}>
            {inner()}
          </Link>
        )
      case 'image':
        return Picture && <Picture key={key} url={decodeHTML(token.href)} alt={decodeHTML(token.text)} />
      case 'space':
      case 'html':
      case 'def':
        return null
      case 'hr':
        return <hr key={key} />
      default:
        return <Fragment key={key}>{inner()}</Fragment>
    }
  }

  function drawList({ ordered, start, items }: Tokens.List, key: number): ReactNode {
    const drawn = items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: items never change
      <li key={index} dir="auto">
        {item.tokens.map(draw)}
      </li>
    ))
    return ordered ? (
      <ol key={key} start={Number(start)}>
        {drawn}
      </ol>
    ) : (
      <ul key={key}>{drawn}</ul>
    )
  }

  function drawTable({ header, rows }: Tokens.Table, key: number): ReactNode {
    const drawRow = (cells: Tokens.TableCell[], Cell: 'th' | 'td', row: number) => (
      <tr key={row}>
        {cells.map(({ tokens: inside }, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never change
          <Cell key={column} dir="auto">
            {inside.map(draw)}
          </Cell>
        ))}
      </tr>
    )
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys
      <section key={key} data-table aria-label={t`Table`} tabIndex={0}>
        <table>
          {header.some(({ text }) => text !== '') && <thead>{drawRow(header, 'th', 0)}</thead>}
          <tbody>{rows.map((row, index) => drawRow(row, 'td', index))}</tbody>
        </table>
      </section>
    )
  }

  return tokens.map(draw)
}

/** Returns the text of a token with decoded entities. marked decodes only escapes. */
function textOf(token: Token): string {
  const text = 'text' in token ? String(token.text) : token.raw
  return token.type === 'escape' ? text : decodeHTML(text)
}

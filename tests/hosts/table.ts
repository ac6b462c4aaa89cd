import { readFileSync, writeFileSync } from 'node:fs'
import { CHECKS, type Outcome } from './check-host.ts'

/** What is behind it is written anew by each run with `--write`. */
const MARK = '<!-- written by npm run test:hosts -- --write -->'

interface Judged {
  /** By check: `yes`, `no`, or `known` for what is known to be missed. */
  cells: Record<string, string>
  /** What nobody expected: a miss that is not known, or a known one that is none any more. */
  missed: string[]
  /** In words. */
  lines: string[]
}

export function judge({ host, transport, checks, tools, dotted }: Outcome): Judged {
  const judged: Judged = { cells: {}, missed: [], lines: [] }
  for (const check of CHECKS) {
    const seen = checks[check] ?? 'not tried'
    const known = host.misses?.[`${transport} ${check}`]
    const expected = known === undefined ? seen === 'ok' : seen !== 'ok'
    judged.cells[check] = seen === 'ok' ? 'yes' : expected ? 'known' : 'no'
    if (!expected) judged.missed.push(check)
    judged.lines.push(`${check}: ${seen}${known === undefined ? '' : ` (known: ${known})`}`)
  }
  judged.lines.push(`names: ${tools.join(', ')}`)
  if (dotted !== undefined) judged.lines.push(`with a dot: ${dotted}`)
  return judged
}

export function writeTable(page: string, outcomes: Outcome[]): void {
  const rows = outcomes.map((outcome) => {
    const { transport, tools, dotted } = outcome
    const cells = judge(outcome).cells
    const names = tools.map((name) => `\`${name}\``).join(' ')
    return `| ${[title(outcome), transport, ...CHECKS.map((check) => cells[check]), names, dots(dotted)].join(' | ')} |`
  })
  const notes = outcomes.flatMap(({ host, transport, checks }) =>
    CHECKS.filter((check) => checks[check] !== 'ok').map((check) => {
      const known = host.misses?.[`${transport} ${check}`]
      return `- ${host.name}, ${transport}, ${check}: ${known ?? `\`${checks[check]?.replaceAll('`', "'")}\``}`
    })
  )
  const lines = [
    `On ${new Date().toISOString().slice(0, 10)}, with Node ${process.versions.node}:`,
    '',
    `| host | over | ${CHECKS.join(' | ')} | names its model is told | names with a dot |`,
    `|${' --- |'.repeat(CHECKS.length + 4)}`,
    ...rows,
    ...(notes.length > 0 ? ['', 'What does not work, and why:', '', ...notes] : [])
  ]
  const [before = ''] = readFileSync(page, 'utf8').split(MARK)
  writeFileSync(page, `${before}${MARK}\n\n${lines.join('\n')}\n`)
}

/** The host with what it is in the registry. */
function title({ host }: Outcome): string {
  return `${host.name} (\`${host.packages[0]}\`)`
}

function dots(dotted: string | undefined): string {
  if (dotted === undefined) return ''
  const [, name = '', outcome = ''] = /^(.*?): (.*)$/s.exec(dotted) ?? []
  return `\`${name}\`: ${outcome.replaceAll('|', '/')}`
}

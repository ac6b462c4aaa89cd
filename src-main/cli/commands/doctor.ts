import { createServer } from 'node:net'
import { Command } from 'commander'
import type { Finding } from '../../contract/doctor.ts'
import { DEFAULT_PORT } from '../../contract/endpoint.ts'
import { Problem } from '../../contract/problem.ts'
import { keychainFinding, syncFinding } from '../../core/doctor-findings.ts'
import { lookAtFolder, prepareDataFolder, syncsFolder } from '../../host/data-folder.ts'
import { keychainFault } from '../../host/open-or-find.ts'
import { asTyped } from '../../host/own-program.ts'
import { type CommandProcess, type CommonOptions, commandFor, common, print, Unfinished } from '../command.ts'
import { assertThere, runningIn } from '../connect.ts'

interface DoctorOptions extends CommonOptions {
  repair?: boolean
}

/** `earmark doctor` */
export function doctorCommand(host: CommandProcess): Command {
  return common(new Command('doctor'))
    .description('check the library and its surroundings for problems; changes nothing without --repair')
    .option('--repair', 'repair what can be repaired without loss; a copy of the library is kept')
    .action((options: DoctorOptions) => doctor(options, host))
}

/** Advice with the command at its end as it is typed for this library. */
function adviceFor(data: string | undefined, advice: string): string {
  return /earmark [a-z][^.]*$/.test(advice) ? commandFor(data, advice) : asTyped(advice)
}

async function doctor({ data, repair = false, json }: DoctorOptions, host: CommandProcess): Promise<void> {
  assertThere(data)
  const folder = prepareDataFolder(data)
  const running = await runningIn(folder)
  if (repair && running) throw new Problem('library-in-use', 'Stop Earmark first: a library in use cannot be repaired.')
  const { examineLibrary } = await import('../../service.ts')
  const { findings: ofLibrary, port } = await examineLibrary(folder, { repair, shared: running !== undefined })
  const found: Finding[] = [
    lookAtFolder(folder, repair),
    ...syncFinding(syncsFolder(folder)),
    ...ofLibrary,
    running
      ? { check: 'port', state: 'ok', text: `Earmark serves at ${running.url}.` }
      : await lookAtPort(port ?? DEFAULT_PORT),
    keychainFinding(await keychainFault())
  ]
  const findings = found.map((one) =>
    one.advice === undefined ? one : { ...one, advice: adviceFor(data, one.advice) }
  )
  const healthy = findings.every(({ state }) => state !== 'problem')
  print(host, { json }, { healthy, findings }, findings.flatMap(linesOf))
  if (!healthy) throw new Unfinished()
}

const MARKS: Record<Finding['state'], string> = { ok: 'ok', repaired: 'fixed', problem: 'PROBLEM', unknown: '?' }

function linesOf({ check, state, text, advice }: Finding): string[] {
  return [`${MARKS[state].padEnd(7)} ${check}: ${text}`, ...(advice === undefined ? [] : [`${' '.repeat(8)}${advice}`])]
}

async function lookAtPort(port: number): Promise<Finding> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  server.close()
  if (free) return { check: 'port', state: 'ok', text: `Port ${port} is free.` }
  return {
    check: 'port',
    state: 'problem',
    text: `Another program uses port ${port}, so your editors send their keys to it.`,
    advice: 'Stop that program, or choose another port in Settings and in your editors.'
  }
}

import { Hono } from 'hono'
import { examineLibrary } from '../../actions/library/examine-library.ts'
import type { DoctorReport } from '../../contract/doctor.ts'
import type { ServerContext } from '../context.ts'

/** Looks for what is wrong; whoever asks meanwhile gets the same answer. */
export function doctorRoutes({ ports, surroundings }: ServerContext) {
  let underWay: Promise<DoctorReport> | undefined
  return new Hono().post('/', async (c) => {
    underWay ??= examineLibrary(ports, surroundings, new URL(c.req.url).origin).finally(() => {
      underWay = undefined
    })
    return c.json(await underWay)
  })
}

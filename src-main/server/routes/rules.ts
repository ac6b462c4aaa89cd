import { Hono } from 'hono'
import { z } from 'zod'
import { applyRule, changeRule, countForRule, deleteRule, restoreRule, saveRule } from '../../actions/rules.ts'
import { Flag } from '../../contract/bookmark-list.ts'
import { type Rule, RuleRequest } from '../../contract/rule.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body, query } from '../body.ts'
import type { ServerContext } from '../context.ts'
import { WorkName } from './library.ts'

/** The query of a rule, and whether the rule moves bookmarks. */
const MatchesQuery = z.strictObject({ query: RuleRequest.shape.query, own: Flag.default(false) })

/** Rules: list, make, change, delete, bring back, count what one would match, and apply it to that. */
export function ruleRoutes({ ports, work }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json((await ports.library.listRules()).map(shown)))
    .post('/', body(RuleRequest), async (c) => c.json(shown(await saveRule(ports, c.req.valid('json'))), 201))
    .get('/matches', query(MatchesQuery), async (c) => {
      const asked = c.req.valid('query')
      return c.json({ total: await countForRule(ports, asked.query, asked.own) })
    })
    .patch('/:id', body(RuleRequest), async (c) => {
      await changeRule(ports, c.req.param('id'), c.req.valid('json'))
      return c.body(null, 204)
    })
    .delete('/:id', async (c) => {
      await deleteRule(ports, c.req.param('id'))
      return c.body(null, 204)
    })
    .post('/:id/restorations', async (c) => {
      await restoreRule(ports, c.req.param('id'))
      return c.body(null, 204)
    })
    .post('/:id/applications', query(WorkName), async (c) => {
      const { name } = c.req.valid('query')
      return c.json(await work.run(name, (control) => applyRule(ports, c.req.param('id'), control)))
    })
}

function shown({ matchedAt, ...rule }: Rule) {
  return { ...rule, matchedAt: isoTime(matchedAt) }
}

import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'wouter'
import { countMatches, type Rule, rulesOptions } from '../../api/queries.ts'
import { describeRule, moves, useRuleChanges } from '../../api/rules.ts'
import { confirm, editRule, startRule } from '../../shared/dialogs.ts'
import { Ago } from '../../ui/facts.tsx'
import { IconDots, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import { notify, notifyError } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Rows, Section } from './section.tsx'

/** The rules for new bookmarks: what each does, and how often it did. */
export function RulesSection() {
  const rules = useQuery(rulesOptions)
  const { apply, drop } = useRuleChanges()
  const make = useRef<HTMLButtonElement>(null)

  async function applyTo(rule: Rule) {
    const count = await countMatches(rule.query, moves(rule))
    if (count === 0) return notify(t`No bookmark matches this rule now.`)
    const question = {
      title: t`Apply it to ${plural(count, { one: '# bookmark', other: '# bookmarks' })}?`,
      text: t`${plural(count, { one: '# bookmark matches.', other: '# bookmarks match.' })} ${describeRule(rule)}. You can undo this.`,
      action: t`Apply`
    }
    if (await confirm(question)) apply.mutate({ id: rule.id })
  }
  return (
    <Section id="rules" title={t`Rules`}>
      <Text size="sm">
        <Trans>
          A rule looks at each new bookmark. If it matches a search, the rule adds tags to it, changes its visibility,
          moves it to an organization, or saves a copy of the page.
        </Trans>
      </Text>
      <NotLoaded query={rules} failed={t`The rules could not be listed.`} height={80} />
      {rules.data && rules.data.length > 0 && (
        <Rows label={t`Rules`}>
          {rules.data.map((rule) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              onApply={() => applyTo(rule).catch(notifyError)}
              onDelete={() => drop.mutate(rule, { onSuccess: () => make.current?.focus() })}
            />
          ))}
        </Rows>
      )}
      <Button ref={make} variant="default" onClick={() => startRule({ query: '' })}>
        {t`New rule`}
      </Button>
    </Section>
  )
}

interface RuleRowProps {
  rule: Rule
  onApply(): void
  onDelete(): void
}

function RuleRow({ rule, onApply, onDelete }: RuleRowProps) {
  const { query, organization, matched, matchedAt } = rule
  const gone = organization?.isGone === true
  return (
    <li>
      <div>
        <Anchor component={Link} href={`/?q=${encodeURIComponent(query)}`} size="sm" display="block">
          {query}
        </Anchor>
        <Text size="sm">{describeRule(rule)}</Text>
        <Text size="xs" c={gone ? 'var(--mantine-color-error)' : 'dimmed'}>
          {gone ? (
            t`“${organization.name}” was deleted, so this rule does nothing.`
          ) : matchedAt === null ? (
            t`No new bookmark matched yet.`
          ) : (
            <>
              {plural(matched, {
                one: '1 new bookmark matched. Last match:',
                other: '# new bookmarks matched. Last match:'
              })}{' '}
              <Ago iso={matchedAt} />
            </>
          )}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap" flex="none">
        <Button
          size="compact-sm"
          variant="light"
          aria-label={t`Apply the rule for ${query} to existing bookmarks`}
          disabled={gone || (rule.tags.length === 0 && !moves(rule))}
          onClick={onApply}
        >
          {t`Apply…`}
        </Button>
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon size={26} variant="subtle" color="gray" aria-label={t`More about the rule for ${query}`}>
              <IconDots size={16} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => editRule(rule)}>
              {t`Edit`}
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={onDelete}>
              {t`Delete`}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </li>
  )
}

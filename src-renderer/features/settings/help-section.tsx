import { Button, Text } from '@mantine/core'
import { showShortcuts } from '../../shared/shortcut-sheet.ts'
import { settings as strings } from '../../strings/settings.ts'
import { Section } from './section.tsx'

/** Where help is. */
export function HelpSection({ version }: { version: string }) {
  return (
    <Section id="help" title={strings.help}>
      <Text size="sm">{strings.helpText(version)}</Text>
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={showShortcuts}>
        {strings.shortcuts}
      </Button>
    </Section>
  )
}

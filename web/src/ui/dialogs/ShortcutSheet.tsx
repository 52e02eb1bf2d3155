import { isMac } from '../../lib/keyboard.ts'
import { openDialog } from './open-dialog.tsx'
import styles from './ShortcutSheet.module.css'

/** Alternatives for a shortcut. The keys of each are pressed together. */
type Keys = readonly (readonly string[])[]

const MOD = isMac ? '⌘' : 'Ctrl'
const DELETE: Keys = isMac ? [['⌘', '⌫'], ['⌦']] : [['Del']]

const groups: readonly (readonly [heading: string, shortcuts: readonly (readonly [string, Keys])[]])[] = [
  [
    'Moving around',
    [
      ['Go from item to item', [['↑'], ['↓'], ['←'], ['→']]],
      ['To the first or last', [['Home'], ['End']]],
      ['Jump to a name', [['type it']]],
      ['Open a folder or file', [['Enter']]],
      ['To the folder above', [['Backspace'], [isMac ? '⌥' : 'Alt', '↑']]],
      ['Search', [['/']]],
    ],
  ],
  [
    'Selecting',
    [
      ['Select or unselect', [['Space'], [MOD, 'click']]],
      [
        'Select a range',
        [
          ['Shift', '↑'],
          ['Shift', 'click'],
        ],
      ],
      ['Select everything', [[MOD, 'A']]],
      ['Select nothing', [['Esc']]],
    ],
  ],
  [
    'Files and folders',
    [
      ['Rename', [['F2']]],
      ['Delete', DELETE],
      ['Copy', [[MOD, 'C']]],
      ['Cut', [[MOD, 'X']]],
      ['Paste into this folder', [[MOD, 'V']]],
      ['Undo', [[MOD, 'Z']]],
      ['Menu', [['Shift', 'F10']]],
      [
        'Details',
        [
          [MOD, 'I'],
          [isMac ? '⌥' : 'Alt', 'Enter'],
        ],
      ],
      ['Copy while dragging', [[isMac ? '⌥' : 'Ctrl', 'drop']]],
    ],
  ],
  [
    'The page',
    [
      ['To the newest message, or the uploads', [['F6']]],
      ['This list', [['?']]],
    ],
  ],
]

const TITLE = 'Keyboard shortcuts'

export function openShortcutSheet(): void {
  openDialog({
    modalId: 'shortcuts',
    title: TITLE,
    size: 760,
    children: (
      <div className={styles.groups}>
        {groups.map(([heading, shortcuts]) => (
          <section key={heading} className={styles.group}>
            <h3 className={styles.heading}>{heading}</h3>
            <dl className={styles.list}>
              {shortcuts.map(([name, keys]) => (
                <div key={name} className={styles.line}>
                  <dt>{name}</dt>
                  <dd className={styles.keys}>
                    {keys.map((together, index) => (
                      <span key={together.join()} className={styles.together}>
                        {index > 0 && <span className={styles.or}>or</span>}
                        {together.map((key) => (
                          <kbd key={key} className={styles.key}>
                            {key}
                          </kbd>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    ),
  })
}

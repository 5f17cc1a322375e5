/// <reference lib="dom" />
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { act, setToken, store } from './store.js';

/**
 * @typedef {{ title: string, text: string, action: object | null, isGrave?: boolean, asksTicks?: boolean, asksReason?: boolean }} Question
 */

/** @type {(question: Question) => void} */
let ask = () => undefined;

/** Asks for confirmation, and once for the token; then does it. @param {Question} question */
export const confirm = (question) => ask(question);

/** The dialog of {@link confirm}; one for the page. */
export function Confirmation() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [question, setQuestion] = useState(/** @type {Question | null} */ (null));
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    ask = (next) => {
      setSaid('');
      setQuestion(next);
      dialog.current?.showModal();
    };
  }, []);
  const close = () => dialog.current?.close();
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const token = given.get('token');
    if (typeof token === 'string' && token !== '') setToken(token);
    if (question?.action === null) return close();
    const ticks = given.get('ticks');
    const reason = given.get('reason');
    setBusy(true);
    const { ok, text } = await act({
      ...question?.action,
      ...(ticks !== null && { ticks: Number(ticks) }),
      ...(typeof reason === 'string' && reason !== '' && { reason }),
    });
    setBusy(false);
    if (ok) {
      close();
      announce(text);
    } else setSaid(text);
  };
  return html`<dialog ref=${dialog} aria-labelledby="question" onClose=${() => setQuestion(null)}>
      ${
        question !== null &&
        html`<form onSubmit=${submit}>
          <h2 id="question">${question.title}</h2>
          <p>${question.text}</p>
          ${
            question.asksTicks &&
            html`<label
              >Ticks further away (0 ends it)
              <input name="ticks" type="number" min="0" max="1000" value="2" required
            /></label>`
          }
          ${
            question.asksReason &&
            html`<label>Why (for the log) <input name="reason" maxlength="200" autocomplete="off" /></label>`
          }
          ${
            store.token === null &&
            html`<label
              >Token (http.token of the configuration; kept until this page is closed)
              <input name="token" type="password" required autocomplete="off"
            /></label>`
          }
          ${said !== '' && html`<p class="problem" role="alert">${said}</p>`}
          <p class="buttons">
            <button type="button" onClick=${close}>Back</button>
            <button type="submit" class=${question.isGrave ? 'grave' : 'primary'} disabled=${isBusy}>
              ${question.title}
            </button>
          </p>
        </form>`
      }
    </dialog>
    <${Announcement} />`;
}

/** @type {(text: string) => void} */
let announce = () => undefined;

/** Says what was done, for eyes and screen readers. */
function Announcement() {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer = /** @type {any} */ (null);
    announce = (said) => {
      setText(said);
      clearTimeout(timer);
      timer = setTimeout(() => setText(''), 6_000);
    };
    return () => clearTimeout(timer);
  }, []);
  return html`<p class="said ${text === '' ? 'hidden' : ''}" role="status">
    ${text === '' ? '' : `Done: ${text}`}
  </p>`;
}

/**
 * Buttons for a market, an event, an instance or everything.
 * @param {{ scope: Record<string, string>, what: string, isHeld: boolean }} props
 */
export function ScopeActions({ scope, what, isHeld }) {
  const button = (/** @type {string} */ label, /** @type {Question} */ question) =>
    html`<button onClick=${() => confirm(question)}>${label}</button>`;
  return html`<p class="buttons" role="group" aria-label=${`Actions for ${what}`}>
    ${
      isHeld &&
      button('Resume', {
        title: 'Resume',
        text: `Quote ${what} again, as limits and guards allow it.`,
        action: { action: 'resume', scope },
      })
    }
    ${button('Pause', {
      title: 'Pause',
      text: `Withdraw the quotes of ${what} and quote nothing there until it is resumed.`,
      action: { action: 'pause', scope },
    })}
    ${button('Widen', {
      title: 'Widen',
      text: `Move every quote of ${what} further from the other side.`,
      action: { action: 'widen', scope },
      asksTicks: true,
    })}
    ${button('Cancel orders', {
      title: 'Cancel orders',
      text: `Cancel what stands in ${what}. It is quoted again after ten seconds.`,
      action: { action: 'cancel', scope },
    })}
  </p>`;
}

import type { IncomingMessage } from 'node:http';
import { escapeHtml } from '@parley/shared/values';
import type { Answer } from '../../http/answer';
import type { Exchange } from '../../http/exchange';
import { pageTexts } from '../../http/page-language';
import { SIGN_IN_PATH, webPage } from '../../http/web-page';

/** Programs made of a browser: providers refuse to be shown in them, since they could read along. */
export function isDesktopApp({ headers }: IncomingMessage): boolean {
  return /Electron\//.test(headers['user-agent'] ?? '');
}

/** Opens this address in a browser, with a pad, and waits for the code from there; by the app from its clipboard, else pasted. */
const WAIT = `const field=document.querySelector('input');
const bytes=(hex)=>Uint8Array.from(hex.match(/../g)??[],(byte)=>parseInt(byte,16));
async function pastedHere(){
const key=await crypto.subtle.generateKey({name:'AES-GCM',length:256},true,['decrypt']);
const pasted=new Promise((resolve)=>{field.oninput=async()=>{
try{const data=bytes(field.value.trim());
resolve(new TextDecoder().decode(await crypto.subtle.decrypt({name:'AES-GCM',iv:data.slice(0,12)},key,data.slice(12))))}
catch{/* Not the whole code yet. */}}});
return{key:new Uint8Array(await crypto.subtle.exportKey('raw',key)),pasted}}
(async()=>{
const{key,pasted}=window.electron_bridge?.decrypt_clipboard?.(1)??await pastedHere();
const pad=Array.from(key,(byte)=>byte.toString(16).padStart(2,'0')).join('');
window.open(location.pathname+'?desktop_flow_otp='+pad,'_blank');
location.href='/accounts/login/subdomain/'+encodeURIComponent(await pasted)})()`;

/** In the app, while people sign in in their browser. */
export function waitInApp(exchange: Exchange): Answer {
  const { outside: texts } = pageTexts(exchange);
  const content = `<p>${escapeHtml(texts.wait)}</p>
<label for="code">${escapeHtml(texts.waitLabel)}</label>
<input id="code" autocomplete="off" autofocus>
<p><a href="${SIGN_IN_PATH}">${escapeHtml(texts.anotherWay)}</a></p>`;
  return webPage(exchange, { title: texts.waitTitle, content, script: WAIT });
}

const COPY = `const field=document.querySelector('input'),button=document.querySelector('button');
field.select();button.hidden=false;
button.onclick=async()=>{field.select();
try{await navigator.clipboard.writeText(field.value)}catch{document.execCommand('copy')}
document.querySelector('[role=status]').textContent=button.dataset.copied}`;

/** In the browser, when people have signed in there: what the app waits for. It is valid for seconds. */
export function showCode(exchange: Exchange, code: string): Answer {
  const { outside: texts } = pageTexts(exchange);
  const content = `<p>${escapeHtml(texts.code)}</p>
<label for="code">${escapeHtml(texts.codeLabel)}</label>
<input id="code" readonly value="${escapeHtml(code)}">
<form><button type="button" data-copied="${escapeHtml(texts.copied)}" hidden autofocus>${escapeHtml(texts.copy)}</button></form>
<p role="status"></p>`;
  return webPage(exchange, { title: texts.codeTitle, content, script: COPY });
}

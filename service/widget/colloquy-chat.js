var Ve=new CSSStyleSheet;Ve.replaceSync(`
.text { overflow-wrap: anywhere; }
.text > * { margin-block: 8px; }
.text h4 { font-size: 1rem; }
.text :is(ul, ol) { padding-inline-start: 1.6em; }
.text blockquote { margin-inline: 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--_line); }
.text code { font-family: ui-monospace, monospace; font-size: .92em; }
.text pre { margin: 0; padding: 12px; overflow-x: auto; }
.text .code { display: flex; flex-wrap: wrap; justify-content: end; background: var(--_paper);
  border: 1px solid var(--_line); border-radius: 8px; }
.text .code pre { flex: 1 1 100%; min-width: 0; order: 1; padding-block-start: 0; }
.text .code .copy { border: 0; background: none; font-size: .85rem; color: var(--_accent); }
.text .code .cites { order: 2; padding: 0 8px 8px; }
.text .table { overflow-x: auto; }
.text table { border-collapse: collapse; }
.text :is(th, td) { border: 1px solid var(--_line); padding: 4px 8px; text-align: start;
  vertical-align: top; overflow-wrap: normal; }
.text .host { color: var(--_soft); font-size: .9em; }
.cites { white-space: nowrap; }
.cite { position: relative; min-height: 20px; min-width: 20px; padding: 0 5px; margin-inline-start: 3px;
  border-radius: 6px; font-size: .72rem; line-height: 1.5; vertical-align: super; color: var(--_accent); }
.cite::after { content: ""; position: absolute; inset: -12px -3px; }
:is(.cite, .icon, .title, .chips button):hover { background: var(--_shade); }
.sources { margin: 10px 0 0; padding-block: 4px 0; padding-inline-start: 1.8em;
  border-block-start: 1px solid var(--_line); font-size: .92rem; }
.sources button { border: 0; padding: 2px 6px; background: none; color: var(--_accent); text-align: start;
  text-decoration: underline; }
.nearest { border: 0; margin: 0; list-style: disc; }
[data-refused] .state { font-size: 1rem; color: var(--_ink); }
[data-refused] p { margin-block: 10px 0; color: var(--_soft); }
.help { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-block-start: 8px; }
.contact { display: inline-flex; align-items: center; min-height: 44px; }
.icon { display: inline-flex; align-items: center; justify-content: center; gap: 4px; padding: 8px;
  border-color: transparent; background: none; color: var(--_soft); font-size: .85rem; }
.icon svg { width: 20px; height: 20px; fill: currentColor; flex: none; }
.icon[aria-pressed="true"] { color: var(--_accent); }
.asked { display: flex; justify-content: flex-end; align-items: center; gap: 2px; margin-block: 20px 8px; }
.asked .query { margin: 0; }
.asked .icon { opacity: 0; }
.asked:is(:hover, :focus-within) .icon { opacity: 1; }
@media (hover: none) { .asked .icon { opacity: 1; } }
.tools { margin-block: 6px -8px; margin-inline: -8px; }
.tools .buttons { display: flex; flex-wrap: wrap; }
.feedback { padding-inline: 8px; font-size: .92rem; }
.feedback p { margin-block: 6px; }
.feedback p:empty { display: none; }
.feedback [role="group"] { display: grid; gap: 8px; padding-block-end: 10px; justify-items: start; }
.feedback textarea { width: 100%; }
.chips { display: flex; flex-wrap: wrap; gap: 8px; }
.chips [aria-pressed="true"] { border-color: var(--_accent); box-shadow: inset 0 0 0 1px var(--_accent); }
.related { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 14px; }
.related button { font-size: .92rem; text-align: start; }
.welcome .related { justify-content: center; margin-block-start: 20px; }
.popover { position: fixed; z-index: 5; max-width: min(26rem, calc(100vw - 24px));
  max-height: 45vh; overflow: auto; padding: 10px 12px; border: 1px solid var(--_line);
  border-radius: 10px; background: var(--_paper); box-shadow: 0 6px 24px rgb(0 0 0 / .25);
  font-size: .92rem; }
.popover p { margin-block: 6px 0; }
.passage { white-space: pre-wrap; overflow-wrap: anywhere; }
.support { color: var(--_soft); font-size: .9rem; }
mark { background: var(--_mark); color: inherit; border-radius: 2px; }
.panel { position: relative; container-type: inline-size; }
aside.source { position: absolute; inset: 0; z-index: 4; display: flex; flex-direction: column;
  background: var(--_paper); }
.source-head { display: flex; align-items: center; gap: 8px; padding-block: 8px;
  padding-inline: 16px 8px; border-block-end: 1px solid var(--_line); }
.source-head h3 { flex: 1; margin: 0; font-size: 1rem; overflow-wrap: anywhere; outline-offset: 4px; }
.source-body { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 4px 16px 16px; }
.source-body .trail { color: var(--_soft); font-size: .9rem; }
.source-body .passage { margin: 12px 0; padding: 12px 14px; border-inline-start: 3px solid var(--_accent);
  background: var(--_shade); border-radius: 8px; }
.source-body a { display: inline-flex; align-items: center; min-height: 44px; }
[type="search"] { width: 100%; margin-block: 12px 0; }
.sessions { list-style: none; margin: 8px 0; padding: 0; }
.sessions li { display: flex; flex-wrap: wrap; align-items: center; padding-block: 8px 2px;
  border-block-end: 1px solid var(--_line); }
.sessions :is(.title, input) { flex: 1 1 60%; min-width: 0; text-align: start; overflow-wrap: anywhere; }
.sessions .title { border-color: transparent; background: none; padding-inline: 8px; }
.sessions :is([aria-current], [data-pinned] .title) { font-weight: 600; }
.sessions .buttons { flex: 1 1 100%; }
@container (min-width: 832px) {
  aside.source { inset-inline-start: auto; width: 24rem; border-inline-start: 1px solid var(--_line); }
  .panel[data-source] > :is(header, .connection, .scroll, .below, form) { margin-inline-end: 24rem; }
}
@media print { .tools, .related, aside.source, .asked .icon { display: none; } }
@media (forced-colors: active) {
  mark { forced-color-adjust: none; }
  [aria-pressed="true"] { outline: 2px solid Highlight; }
}
`);var yt="colloquy-ask";function Tt(r){let e=new URL(location.href);return e.hash=`${yt}=${encodeURIComponent(r)}`,e.href}function St(){let r=new URLSearchParams(location.hash.slice(1)).get(yt);return r===null?"":(history.replaceState(history.state,"",location.pathname+location.search),r.slice(0,1e3).trim())}var Et={text:"",before:"",citations:[],supports:[],references:[],steps:[],relatedQuestions:[],skippedReasons:[],groundingScore:void 0,error:void 0},X={name:"",state:"QUEUED",position:void 0,resets:0,...Et};function F(r){return r==="IN_PROGRESS"||r==="STREAMING"}function A(r){return r==="SUCCEEDED"||r==="FAILED"}function pe(r,e){let t=e.response?.answer??{},n=e.reset?{...r,...Et,before:r.text||r.before,resets:r.resets+1}:r,i={...n,name:t.name||n.name,state:t.state??n.state,position:e.position??n.position};return A(i.state)?{...i,...Mn(t),error:e.error}:{...i,...$n(n,t)}}function Mn(r){return{before:"",text:r.answerText??"",citations:r.citations??[],supports:r.groundingSupports??[],references:r.references??[],steps:r.steps??[],relatedQuestions:r.relatedQuestions??[],skippedReasons:r.answerSkippedReasons??[],groundingScore:r.groundingScore}}function $n(r,e){return{text:r.text+(e.answerText??""),citations:e.citations?[...r.citations,...e.citations]:r.citations,supports:e.groundingSupports??r.supports,references:e.references??r.references,steps:e.steps??r.steps,relatedQuestions:e.relatedQuestions??r.relatedQuestions}}function Ct(r){return r?.details?.find(e=>e.reason)?.reason}function c(r,e={},...t){let n=document.createElement(r);for(let[i,s]of Object.entries(e))s!==void 0&&(/^(?:aria-|data-|role$|part$|dir$|lang$)/.test(i)?n.setAttribute(i,String(s)):n[i]=s);return n.append(...t),n}function L(r){try{let e=new URL(r);return["http:","https:","mailto:","tel:"].includes(e.protocol)?e.href:""}catch{return""}}function U(r,...e){return c("a",{href:r,target:"_blank",rel:"noopener noreferrer"},...e)}function W(){return Array.from(crypto.getRandomValues(new Uint8Array(12)),r=>r.toString(16).padStart(2,"0")).join("")}function Rt(){return c("div",{className:"unseen",role:"status"})}function y(r,e){let t=r.getRootNode();!(t instanceof ShadowRoot)||!r.getClientRects().length||t.querySelector("[role=status]")?.replaceChildren(c("p",{textContent:e}))}function C(r){let e="http://www.w3.org/2000/svg",t=document.createElementNS(e,"svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true");let n=document.createElementNS(e,"path");return n.setAttribute("d",r),t.append(n),t}var Ze=class extends Error{},de=class{constructor(e){this.send=e}send;open=new Map;add(e,t,n){let i=W(),s={type:"request",id:i,method:e,path:t,...n===void 0?{}:{body:n}};return new Promise((a,o)=>{let l={frame:s,isSent:!1,resolve:a,reject:o};this.open.set(i,l),l.isSent=this.send(s)})}sendAll(){for(let e of this.open.values())e.isSent=this.send(e.frame)||e.isSent}respond({id:e,status:t,body:n}){this.open.get(e)?.resolve({status:t,body:n}),this.open.delete(e)}refuse({id:e="",error:t}){return this.open.get(e)?.reject(new Error(t?.message)),this.open.delete(e)}lost(){this.fail(({frame:e,isSent:t})=>t&&e.method!=="GET")}failAll(){this.fail(()=>!0)}fail(e){for(let[t,n]of this.open)e(n)&&(this.open.delete(t),n.reject(new Ze))}};var ue=class{constructor(e,t){this.ping=e;this.dead=t}ping;dead;ticker;timer;begin(e){this.end(),this.expect(e),this.ticker=setInterval(()=>this.check(),2e4)}check(){this.ping(),this.timer===void 0&&this.expect(5e3)}heard(){clearTimeout(this.timer),this.timer=void 0}end(){this.heard(),clearInterval(this.ticker)}expect(e){let t=Date.now()+e;this.timer=setTimeout(()=>{this.timer=void 0,Date.now()-t>1e3?this.check():this.dead()},e)}};function At(r){if(r===void 0)return"";try{let e=r.split(".")[1]??"",t=atob(e.replace(/-/g,"+").replace(/_/g,"/")),n=new TextDecoder().decode(Uint8Array.from(t,a=>a.charCodeAt(0))),{iss:i="",sub:s}=JSON.parse(n);return s&&`${i}/${s}`}catch{return}}var Dn="colloquy.v1",Lt=[300,700,1500,3e3,6e3,1e4],qn=3e4,zn=15e3,Bn=3,Hn=1009,Ke=4401,It=4408,Pt=1006,Fn=4400,Un=[Ke,It,4409,4429],he=class{constructor(e,t,n){this.url=e;this.listener=t;this.tokenProvider=n;let{signal:i}=this.ends;addEventListener("online",()=>this.networkChanged(),{signal:i}),addEventListener("offline",()=>this.networkChanged(),{signal:i}),addEventListener("pageshow",({persisted:s})=>s&&this.wake(),{signal:i}),document.addEventListener("resume",()=>this.wake(),{signal:i}),document.addEventListener("visibilitychange",()=>document.hidden||this.wake(),{signal:i}),this.connect()}url;listener;tokenProvider;calls=new de(e=>this.send(e));liveness=new ue(()=>this.send({type:"ping"}),()=>this.drop());work=new Map;socket;attempt=0;timer;renewal;client;failures=0;refusals=0;pause;isReady=!1;isClosed=!1;ends=new AbortController;ask(e){this.work.set(e.id,{frame:e}),this.send(e)&&this.liveness.check()}follow(e,t,n){let i={answer:t,position:n};this.work.set(e,i),this.send(_t(e,i))}cancel(e){this.send({type:"cancel",answer:e})}request(e,t,n){return this.calls.add(e,t,n)}forgetAll(){this.work.clear()}retry(){this.refusals=0,this.isReady||this.connect()}close(){this.isClosed=!0,this.calls.failAll(),clearTimeout(this.timer),clearTimeout(this.renewal),this.liveness.end(),this.ends.abort(),this.socket?.close(1e3)}async connect(){clearTimeout(this.timer),this.timer=void 0,this.isReady=!1,this.listener.connectionChanged(navigator.onLine?"connecting":"offline"),this.liveness.begin(qn);let e=++this.attempt,t;try{t=await this.tokenProvider()?.()}catch{e===this.attempt&&this.lost(Pt);return}if(e!==this.attempt||this.isClosed)return;this.listener.identified(At(t)),this.liveness.begin(zn);let n=new WebSocket(this.url,Dn);this.socket=n,t!==void 0&&(n.onopen=()=>Nt(n,t)),n.onmessage=({data:i})=>{n===this.socket&&this.receive(JSON.parse(i))},n.onclose=({code:i})=>{n===this.socket&&this.lost(i)}}renewBefore(e){clearTimeout(this.renewal);let t=this.tokenProvider(),n=this.socket;if(!e||!t||!n)return;let i=async()=>{let s=await t();n.readyState===WebSocket.OPEN&&Nt(n,s)};this.renewal=setTimeout(()=>i().catch(()=>{}),e*(700+Math.random()*150))}networkChanged(){navigator.onLine?this.timer?this.connect():(this.listener.connectionChanged(this.isReady?"ready":"connecting"),this.liveness.check()):this.listener.connectionChanged("offline")}wake(){this.timer?this.connect():this.isReady&&this.liveness.check()}drop(){let{socket:e}=this;this.socket=void 0,e?.close(),this.lost(Pt)}lost(e){if(!this.isReady&&e===Ke&&(this.refusals+=1),this.isReady=!1,this.calls.lost(),this.liveness.end(),clearTimeout(this.renewal),this.isClosed)return;let t=this.tokenProvider()?this.refusals>=Bn:[Ke,It].includes(e);if(e===Hn||e>=Fn&&!Un.includes(e)||t){this.calls.failAll(),this.listener.connectionChanged("refused",e);return}let i=this.pause??Lt[Math.min(this.failures,Lt.length-1)]??1e4;this.pause=void 0,this.failures+=1,this.listener.connectionChanged(navigator.onLine?"lost":"offline"),this.timer=setTimeout(()=>{this.connect()},i*(.7+Math.random()*.6))}receive(e){switch(this.liveness.heard(),e.type){case"ready":this.ready(e.client,e.expiresIn);break;case"accepted":this.work.has(e.id)&&this.work.set(e.id,{answer:e.answer}),this.listener.accepted(e);break;case"element":{let t=this.work.get(e.id);t&&"answer"in t&&(t.position=e.position),A(e.response?.answer?.state)&&this.work.delete(e.id),this.listener.element(e);break}case"response":this.calls.respond(e);break;case"error":if(this.calls.refuse(e))break;e.id&&this.work.delete(e.id),this.listener.refused(e);break;case"goaway":this.pause=Math.max(Number(e.retryAfter??0)*1e3,200);break}}ready(e,t){if(this.refusals=0,this.renewBefore(t),!this.isReady){this.isReady=!0,this.client??=e,this.failures=0,this.listener.connectionChanged("ready");for(let[n,i]of this.work)this.send("frame"in i?i.frame:_t(n,i));this.calls.sendAll()}}send(e){if(!this.isReady)return!1;let t=e.type==="answer"?{...e,client:this.client}:e;return this.socket?.send(JSON.stringify(t)),!0}};function Nt(r,e){r.send(JSON.stringify({type:"auth",token:e}))}function _t(r,e){return{type:"resume",id:r,answer:e.answer,...e.position?{after:e.position}:{}}}function Ot(r,e,t,n){return{eventType:"add-feedback",...n?{}:{userPseudoId:r.split("/").pop()},feedback:{feedbackType:t.isHelpful?"LIKE":"DISLIKE",reasons:t.reasons,comment:t.comment,conversationInfo:{session:r,questionIndex:e}}}}var Ye=5,Wn=60,jn=/^projects\/[^/]+\/locations\/[^/]+\/collections\/[^/]+\/dataStores\/[^/]+\/branches\/[^/]+\/documents\/[^/]+$/;function Mt(r,e){let t=L(r);if(!/^https?:/.test(t))return"";let n=Gn(e);return n?`${t}${t.includes("#")?"":"#"}:~:text=${n}`:t}function $t(r){return jn.test(r)}async function Dt(r,e,t,n){let i=open("","_blank");if(!i)return!1;i.opener=null;let s=r.split("/").map(encodeURIComponent).join("/");try{let{status:a,body:o}=await t.request("POST",`/v1/${s}:mintReadToken`,{});if(a!==200)throw new Error(String(a));let l=new URL(`/documents/${s}`,n.replace(/^ws/,"http"));return l.hash=new URLSearchParams({token:o.token,quote:e}).toString(),i.location.replace(l.href),!0}catch{return i.close(),!1}}function Gn(r){let e=r.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,i)=>i.length-n.length)[0]??"",t=e.split(/\s+/).filter(Boolean);return e.length<=Wn||t.length<=2*Ye?Je(e):`${Je(t.slice(0,Ye).join(" "))},${Je(t.slice(-Ye).join(" "))}`}function Je(r){return encodeURIComponent(r).replace(/-/g,"%2D")}var ge=20;async function ee(r,e,t,n=ge){let i=`turnOffset=${-t-n}&turnLimit=${n}`,s=await r.request("GET",`/v1/${e}?includeAnswerDetails=true&${i}`).catch(()=>{});if(s?.status===403||s?.status===404)return"gone";if(s?.status!==200)return"away";let{turns:a=[]}=s.body;return{turns:a.filter(({answer:l})=>l).map(({query:l,answer:p="",detailedAnswer:d})=>{let g=d?.state??"FAILED",h={...X,name:p,state:g},u=d&&A(g)?pe(h,{response:{answer:d}}):h;return{query:l?.text??"",answer:u}}),count:a.length}}async function qt(r,e,t){for(let n=t.length?2:ge;;n*=4){let i=await ee(r,e,0,n);if(typeof i=="string"||i.count<n||!t.length||i.turns.some(({answer:s})=>t.includes(s.name)))return i}}async function zt(r,e,t){let n=await r.request("GET",`/v1/${e}`).catch(()=>{}),{turns:i=[]}=n?.body??{};return i.findIndex(({answer:s})=>s===t)}var fe=class{constructor(e,t){this.turns=e;this.to=t}turns;to;opened;get isOpening(){return this.opened!==void 0}flush(){let{waiting:e}=this.turns;if(!this.to.canSend||this.opened||!e.length)return;if(this.to.sessionName){for(let i of e)this.to.send(i);return}let t=new Promise(i=>{this.opened=i}),n=i=>this.open(i,t);(this.to.shared?.alone(n)??n("")).finally(()=>{this.opened=void 0,this.flush()})}settle(){this.opened?.()}async open(e,t){e&&!this.to.sessionName&&await this.to.takeOver(e);let[n]=this.turns.waiting;this.to.sessionName||!n||(this.to.send(n),await t)}};function Xe({servingConfig:r}){return r.split("/servingConfigs/")[0]??""}function Bt(r,e,t,n,{filter:i,labels:s}){return{type:"answer",id:r,servingConfig:n.servingConfig,request:{query:{text:e},session:t||`${Xe(n)}/sessions/-`,answerGenerationSpec:{includeCitations:!0,ignoreAdversarialQuery:!0,ignoreJailBreakingQuery:!0},groundingSpec:{includeGroundingSupports:!0},relatedQuestionsSpec:{enable:!0},...i?{searchSpec:{searchParams:{filter:i}}}:{},...s?{userLabels:s}:{}}}}var Qn=50,Vn=5,et=50,me=class{constructor(e,t){this.connection=e;this.store=t}connection;store;async read(e){let t=new URLSearchParams({pageSize:String(Qn),turnLimit:String(Vn),orderBy:"is_pinned desc,update_time desc",...e?{pageToken:e}:{}}),n=await this.call("GET",`${this.store}/sessions?${t}`);if(!n)return;let{sessions:i=[],nextPageToken:s=""}=n;return{sessions:i,next:s}}async change(e,t){return this.call("PATCH",`${e}?updateMask=${Object.keys(t).join()}`,t)}async remove(e){return await this.call("DELETE",e)!==void 0}async turns(e){let t=[];for(let n=0;;n+=et){let i=await ee(this.connection,e,n,et);if(typeof i=="string")return;if(t.unshift(...i.turns),i.count<et)return t}}async call(e,t,n){let i=await this.connection.request(e,`/v1/${t}`,n).catch(()=>{});return i?.status===200?i.body:void 0}};var tt=/^projects(?:\/[^/?#.][^/?#]*)+\/sessions\/[\w-]+$/;var xe=class{constructor(e,t){this.key=e;this.channel=new BroadcastChannel(e),this.channel.onmessage=({data:n})=>{tt.test(n?.session)&&t(n)}}key;channel;kept="";get name(){try{let e=localStorage.getItem(this.key)??"";return tt.test(e)?e:""}catch{return""}}set name(e){this.kept=e;try{e?localStorage.setItem(this.key,e):localStorage.removeItem(this.key)}catch{}}tell(e){this.channel.postMessage(e)}async alone(e){let{locks:t}=navigator;if(!t)return e(this.name);let n=!1,i=async()=>{n=!0,await e(this.name||await this.justOpened()),await this.tellOpened()};try{await t.request(this.key,{signal:AbortSignal.timeout(1e4)},i)}catch{n||await e(this.name)}}async justOpened(){let{held:e=[]}=await navigator.locks.query();return e.map(({name:n=""})=>n.split(`${this.key}#`)[1]??"").find(n=>tt.test(n))??""}tellOpened(){let e=`${this.key}#${this.kept}`;return new Promise(t=>{let n=()=>(t(),new Promise(i=>setTimeout(i,1e4)));navigator.locks.request(e,{mode:"shared"},n)})}close(){this.channel.close()}};var be=class{listener;all=new Map;get size(){return this.all.size}get(e){return this.all.get(e)}values(){return this.all.values()}get waiting(){return this.where(({state:e})=>e==="QUEUED")}get running(){return this.where(({state:e,name:t})=>F(e)&&t!=="")}get names(){return this.where(({name:e})=>e!=="").map(({answer:e})=>e.name)}get isSending(){return this.where(({state:e})=>e==="SENT").length>0}add(e){return this.all.set(e.id,e),this.listener?.turnAdded(e),e}addBefore(e){this.all=new Map([...e.map(t=>[t.id,t]),...this.all]),this.listener?.earlierAdded(e)}change(e,t){e.answer=t,this.listener?.turnChanged(e)}remove(e){this.all.delete(e.id),this.listener?.turnRemoved(e)}clear(){this.all.clear(),this.listener?.emptied()}unknown(e){let t=new Set(this.names);return e.filter(({answer:n})=>!t.has(n.name)).map(n=>({id:W(),...n}))}where(e){return[...this.all.values()].filter(({answer:t})=>e(t))}};async function Ht(r,e,t){let i=`widgetConfigs/default_search_widget_config?languageCode=${encodeURIComponent(t)}`,s=await r.request("GET",`/v1/${e}/${i}`).catch(()=>{});if(s?.status!==200)return;let{displayName:a,...o}=s.body;return a&&!o.name?.includes(`/${a}/`)?{...o,displayName:a}:o}var Ft=3e3,Zn=40,ke=class{constructor(e,t){this.place=e;this.tokenProvider=t;this.connection=new he(e.socket,{identified:n=>this.identified(n),connectionChanged:(n,i)=>this.connectionChanged(n,i),accepted:n=>this.accepted(n),element:n=>this.element(n),refused:n=>this.refused(n)},t)}place;tokenProvider;turns=new be;hasEarlier=!1;context={};config={};connectionState="connecting";closeCode;listener;sessionName="";shared;language;subject;mayJoin=!0;isRecalling=!1;outbox=new fe(this.turns,this);known=0;isBehind=!1;connection;speak(e){e!==this.language&&(this.language=e,Ht(this.connection,this.store,e).then((t={})=>{e===this.language&&(this.config=t,this.listener?.configured())}))}listen(e){this.listener=this.turns.listener=e}openDocument(e,t){return Dt(e,t,this.connection,this.place.socket)}get isAnswering(){return this.turns.running.length>0}waitsFor(e){return e.answer.state==="QUEUED"&&this.connectionState!=="ready"?"connection":this.turns.running.indexOf(e)>0?"answer":"nothing"}ask(e){let t=this.turns.add({id:W(),query:e,answer:X});return this.outbox.flush(),t}takeBack(e){e.answer.name&&this.connection.cancel(e.answer.name),e.answer.state==="QUEUED"&&this.turns.remove(e)}stop(){for(let{answer:e}of this.turns.running.slice(0,1))this.connection.cancel(e.name)}retry(){this.connection.retry()}async rate(e,t){let{name:n}=e.answer,i=this.hasEarlier?await zt(this.connection,this.sessionName,n):this.turns.names.indexOf(n),s=Ot(this.sessionName,i,t,this.tokenProvider()!==void 0);return(await this.connection.request("POST",`/v1/${this.store}/userEvents:write`,s).catch(()=>{}))?.status===200}startNew(){this.mayJoin=!1,this.forget(),this.shared&&(this.shared.name="")}get sessions(){return this.tokenProvider()&&new me(this.connection,this.store)}openSession(e){e!==this.sessionName&&(this.startNew(),this.shared&&(this.shared.name=e),this.join(e))}async readEarlier(){this.hasEarlier&&!this.isRecalling&&await this.recall(this.sessionName)}close(){this.connection.close(),this.shared?.close()}get store(){return Xe(this.place)}connectionChanged(e,t){this.connectionState=e,this.closeCode=t,this.listener?.connectionChanged(),e==="ready"&&(this.outbox.flush(),this.turns.size&&this.catchUp())}get canSend(){return this.connectionState==="ready"&&!this.isRecalling}send(e){this.turns.change(e,{...e.answer,state:"SENT"});let{place:t,sessionName:n,context:i}=this;this.connection.ask(Bt(e.id,e.query,n,t,i))}accepted({id:e,answer:t,session:n}){let i=this.turns.get(e);if(!i)return;n&&(this.sessionName=n),n&&this.shared&&(this.shared.name=n),this.outbox.settle();let s=!i.answer.name,a=i.answer.state==="SENT"?"IN_PROGRESS":i.answer.state;this.turns.change(i,{...i.answer,state:a,name:t}),s&&(this.known+=1),s&&n&&this.shared?.tell({session:n,answer:t}),this.isBehind&&this.catchUp()}element(e){let t=this.turns.get(e.id);t&&this.turns.change(t,pe(t.answer,e))}refused({id:e,error:t}){let n=e?this.turns.get(e):void 0;n&&t?.status==="NOT_FOUND"&&this.sessionName&&!n.answer.name?(this.sessionName="",this.mayJoin=!1,this.turns.change(n,X),this.outbox.flush()):n&&this.turns.change(n,{...n.answer,state:"FAILED",error:t}),this.outbox.settle()}identified(e){if(this.shared&&e===this.subject||(this.subject!==void 0&&this.forget(),this.subject=e,this.shared=this.shared?.close(),e===void 0))return;let t=`colloquy:${this.place.socket}:${this.store}:${e}`;this.shared=new xe(t,n=>{this.heard(n)}),this.shared.name&&this.join(this.shared.name)}forget(){this.sessionName="",this.hasEarlier=!1,this.isBehind=!1,this.connection.forgetAll(),this.known=0,this.turns.clear(),this.outbox.settle()}async takeOver(e){this.mayJoin&&await this.join(e)}async join(e){this.sessionName=e;let t=await this.recall(e);this.sessionName===e&&(t==="away"?setTimeout(()=>this.sessionName===e&&void this.join(e),Ft):t==="gone"&&(this.sessionName="",this.shared?.name===e&&(this.shared.name="")),this.outbox.flush())}async recall(e){this.isRecalling=!0;let t=await ee(this.connection,e,this.known);if(this.isRecalling=!1,this.sessionName!==e||typeof t=="string")return t;this.known+=t.count,this.hasEarlier=t.count===ge;let n=this.turns.unknown(t.turns);return this.turns.addBefore(n),this.follow(n),t}async heard(e,t=Zn){let{session:n,answer:i}=e;if(!this.sessionName&&this.mayJoin&&!this.outbox.isOpening)return void this.join(n);n===this.sessionName&&(await this.catchUp(),t&&!this.turns.names.includes(i)&&setTimeout(()=>{this.heard(e,t-1)},Ft))}async catchUp(){let{sessionName:e}=this;if(!e||this.isRecalling)return;let t=await qt(this.connection,e,this.turns.names);if(e!==this.sessionName||typeof t=="string"||(this.isBehind=this.turns.isSending,this.isBehind))return;let n=this.turns.unknown(t.turns).map(i=>this.turns.add(i));this.known+=n.length,this.follow(n)}follow(e){for(let{id:t,answer:n}of e)F(n.state)&&this.connection.follow(t,n.name)}};var nt=new CSSStyleSheet;nt.replaceSync(`
:host {
  --_ink: var(--colloquy-ink, #17202b);
  --_soft: var(--colloquy-soft, #566272);
  --_paper: var(--colloquy-paper, #ffffff);
  --_shade: var(--colloquy-shade, #f2f5f8);
  --_line: var(--colloquy-line, #c3cdd8);
  --_accent: var(--colloquy-accent, #0b5fad);
  --_accent-ink: var(--colloquy-accent-ink, #ffffff);
  --_bad: var(--colloquy-bad, #a3261b);
  --_mark: var(--colloquy-mark, #fff3b0);
  --_radius: var(--colloquy-radius, 14px);
  --_font: var(--colloquy-font, 16px/1.5 system-ui, sans-serif);
  display: flex; flex-direction: column; min-height: 0; height: 100%;
  font: var(--_font); color: var(--_ink); background: var(--_paper); color-scheme: light dark;
}
:host([form="page"]) { height: 100dvh; }
:host(:not([form])), :host([form="inline"]) { min-height: 20rem; }
:host([form="launcher"]) { display: contents; }
.launcher { position: fixed; z-index: 2147483000; inset-block-end: max(20px, env(safe-area-inset-bottom));
  inset-inline-end: 20px; font: var(--_font); color: var(--_ink); }
:host([position="start"]) .launcher { inset-inline: 20px auto; }
.bubble { position: relative; display: grid; place-items: center; width: 60px; height: 60px;
  padding: 0; border-radius: 50%; border-color: transparent; background: var(--_accent);
  margin-inline-start: auto; box-shadow: 0 4px 16px rgb(0 0 0 / .3); }
:host([position="start"]) .bubble { margin-inline: 0 auto; }
.bubble svg { width: 28px; height: 28px; fill: var(--_accent-ink); }
.bubble[aria-expanded="true"] svg:first-child, .bubble[aria-expanded="false"] svg + svg { display: none; }
.unread { position: absolute; inset-block-start: 0; inset-inline-end: 0; width: 16px; height: 16px;
  border-radius: 50%; background: var(--_bad); border: 2px solid var(--_paper); }
.dialog { display: flex; width: min(26rem, calc(100vw - 40px)); height: min(42rem, calc(100dvh - 120px));
  margin-block-end: 12px; overflow: hidden; border: 1px solid var(--_line); border-radius: var(--_radius);
  background: var(--_paper); box-shadow: 0 8px 40px rgb(0 0 0 / .3); }
@media (max-width: 30rem) {
  .dialog { position: fixed; inset: var(--_top, 0) 0 0; width: auto; height: var(--_visible, auto); margin: 0;
    border: 0; border-radius: 0; padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left); }
  .dialog header { padding-inline-end: 60px; }
  .dialog:not([hidden]) + .bubble { position: fixed; width: 44px; height: 44px; box-shadow: none;
    inset-block-start: calc(8px + env(safe-area-inset-top) + var(--_top, 0px));
    inset-inline-end: calc(8px + max(env(safe-area-inset-left), env(safe-area-inset-right))); }
}
:host([form="page"]) .panel { max-height: var(--_visible, none); translate: 0 var(--_top, 0);
  padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left); }
.unseen { position: fixed; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:host([hidden]) { display: none; }
@media (prefers-color-scheme: dark) {
  :host {
    --_ink: var(--colloquy-ink, #e8edf3);
    --_soft: var(--colloquy-soft, #a9b5c3);
    --_paper: var(--colloquy-paper, #11161c);
    --_shade: var(--colloquy-shade, #1b232c);
    --_line: var(--colloquy-line, #465463);
    --_accent: var(--colloquy-accent, #7ab8f5);
    --_accent-ink: var(--colloquy-accent-ink, #0b1620);
    --_bad: var(--colloquy-bad, #ff9d93);
    --_mark: var(--colloquy-mark, #5a4b00);
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea, input { font: inherit; color: inherit; }
input { min-height: 44px; padding: 8px 12px; border: 1px solid var(--_line); border-radius: 10px; background: var(--_paper); }
button { cursor: pointer; border: 1px solid var(--_line); border-radius: 10px;
  background: var(--_paper); padding: 8px 14px; min-height: 44px; min-width: 44px; }
button:disabled { opacity: .55; cursor: default; }
:is(button, textarea, input, a, summary, pre, .table):focus-visible {
  outline: 3px solid var(--_accent); outline-offset: 1px; }
a { color: var(--_accent); }
.panel { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; }
header { display: flex; gap: 8px; align-items: center; padding: 8px 16px;
  border-block-end: 1px solid var(--_line); }
header :is(h1, h2) { font-size: 1.1rem; margin: 0; flex: 1; }
.connection { padding: 4px 16px; font-size: .9rem; color: var(--_soft); }
.connection:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.connection button { color: var(--_ink); }
.connection[data-state="lost"], .connection[data-state="offline"],
.connection[data-state="refused"] { color: var(--_bad); }
.scroll { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px; }
.turns > li { content-visibility: auto; contain-intrinsic-size: auto 240px; }
.earlier { display: block; margin: 0 auto; }
.below { position: relative; align-self: center; height: 44px; margin-block: -52px 8px; z-index: 3;
  box-shadow: 0 2px 10px rgb(0 0 0 / .25); }
.text.before { color: var(--_soft); }
.turns { list-style: none; margin: 0 auto; padding: 0; max-width: 46rem; }
.query { font: inherit; margin-block: 20px 8px; margin-inline: auto 0; width: fit-content; max-width: 85%;
  padding: 8px 14px; border-radius: var(--_radius); background: var(--_accent);
  color: var(--_accent-ink); white-space: pre-wrap; overflow-wrap: anywhere; }
article { padding: 12px 14px; border-radius: var(--_radius); background: var(--_shade); }
.state { font-size: .9rem; color: var(--_soft); }
form { display: flex; gap: 8px; align-items: flex-end;
  padding: 12px 16px max(12px, env(safe-area-inset-bottom)); border-block-start: 1px solid var(--_line); }
textarea { flex: 1; min-width: 0; resize: none; min-height: 44px; max-height: 30vh;
  padding: 9px 12px; border: 1px solid var(--_line); border-radius: 10px; background: var(--_paper); }
form [type="submit"] { background: var(--_accent); color: var(--_accent-ink); border-color: transparent; }
.welcome { color: var(--_soft); max-width: 46rem; margin: 10vh auto 0; text-align: center; }
@media print { :host { height: auto; } .launcher { display: none; } form, header button { display: none; } }
@media (forced-colors: active) {
  button, article, .query { border: 1px solid CanvasText; }
  .bubble svg { fill: ButtonText; }
  .unread { background: Highlight; forced-color-adjust: none; }
}
`);var te={title:"Ask the help pages",placeholder:"Ask a question",question:"Your question",ask:"Ask",stop:"Stop",newSession:"New conversation",welcome:"Ask a question. The answer comes with its sources.",answers:"Conversation",answer:"Answer",queued:"Will be sent as soon as there is a connection",place:"the help pages",searching:"Searching {place}…",reading:"Reading {count} pages…",writing:"Writing the answer…",rewriting:"Writing the answer anew…",answered:"Here is what I found",noAnswer:"I found no answer to that in {place}",refusedSmallTalk:"Ask me something about {place}, and I will look it up",refusedHarmful:"I cannot help with that",refusedJailbreak:"I can only answer questions about {place}",refusedPolicy:"That is something that I may not answer here",nearest:"These pages come nearest",contact:"You can also ask a person.",contactLink:"Contact us",stopped:"Stopped",failed:"Something went wrong, and there is no answer",failedBusy:"Too much is asked at the moment. Wait a little, and ask again.",sources:"Sources",source:"Source {number}: {title}",untitled:"A page without a title",page:"page {page}",closeSource:"Close the source",openPage:"Open the page",notOpened:"The page could not be opened. Try again.",supportVerbatim:"The source says this word for word.",supportStrong:"The source supports this.",supportPartial:"The source supports this in part.",supportWeak:"The source is about this, but may not say it: please check.",related:"Related questions",starters:"Questions to begin with",copy:"Copy",copied:"Copied",notCopied:"Not copied",copyAnswer:"Copy the answer",copyLink:"Copy a link to this question",askAgain:"Ask again",editQuestion:"Edit the question",helpful:"This helped",notHelpful:"This did not help",whatIsWrong:"What was wrong with it?",reasonInaccurate:"It is not correct",reasonNotRelevant:"It is not what I asked",reasonIncomplete:"Something is missing",reasonBadSource:"The source does not fit",reasonHarmful:"It is harmful or offensive",reasonFormat:"It is hard to read",comment:"Tell us more, if you like",sendFeedback:"Send",thanks:"Thank you for telling us.",notSent:"That could not be sent. Try again.",close:"Close",open:"Open the chat",openUnread:"Open the chat: there is a new answer",connecting:"Connecting…",ready:"",lost:"The connection was lost; coming back…",offline:"You are offline; questions are sent as soon as you are back",refused:"The service does not let this page in (code {code})",sending:"Sending…",waiting:"Waits for the answer above",takeBack:"Take back",refusedSignIn:"Your sign-in has ended. Sign in again, then try again.",refusedOrigin:"This website ({origin}) may not use the chat. Please tell whoever runs it.",tryAgain:"Try again",newBelow:"New text below",dictate:"Dictate",notHeard:"Nothing was heard. Try again, or type.",earlier:"Show earlier questions",sessions:"Conversations",noSessions:"There are no conversations",more:"Show more",rename:"Rename",pin:"Pin",unpin:"Unpin",export:"Export",delete:"Delete",deleteReally:"Delete for good"};function S(r){let e=r.split(`
`),t=Object.keys(te).map((n,i)=>[n,e[i]]);return Object.fromEntries(t.filter(([,n])=>n))}var Ut=S(`اسأل صفحات المساعدة
اطرح سؤالاً
سؤالك
اسأل
إيقاف
محادثة جديدة
اطرح سؤالاً، وتأتي الإجابة مع مصادرها.
المحادثة
الإجابة
سيُرسل فور توفر الاتصال
صفحات المساعدة
جارٍ البحث في {place}…
الصفحات المقروءة: {count}…
جارٍ كتابة الإجابة…
جارٍ كتابة الإجابة من جديد…
هذا ما وجدته
لم أجد إجابة عن ذلك في {place}
اسألني عن {place} وسأبحث لك
لا أستطيع المساعدة في ذلك
أجيب فقط عن الأسئلة حول {place}
لا يُسمح لي بالإجابة عن ذلك هنا
هذه أقرب الصفحات
يمكنك أيضاً أن تسأل شخصاً.
اتصل بنا
توقفت
حدث خطأ ولا توجد إجابة
الطلبات كثيرة في هذه اللحظة. انتظر قليلاً ثم اسأل مرة أخرى.
المصادر
المصدر {number}: {title}
صفحة بلا عنوان
صفحة {page}
إغلاق المصدر
فتح الصفحة
تعذر فتح الصفحة. حاول مرة أخرى.
يقول المصدر ذلك حرفياً.
يؤيد المصدر ذلك.
يؤيد المصدر ذلك جزئياً.
يتناول المصدر هذا الموضوع وقد لا يقول ذلك: يرجى التحقق.
أسئلة ذات صلة
أسئلة للبدء
نسخ
تم النسخ
لم يُنسخ
نسخ الإجابة
نسخ رابط هذا السؤال
اسأل مرة أخرى
تعديل السؤال
ساعدني هذا
لم يساعدني هذا
ما الخطأ فيها؟
ليست صحيحة
ليس هذا ما سألت عنه
ينقصها شيء
المصدر غير مناسب
ضارة أو مسيئة
صعبة القراءة
أخبرنا بالمزيد إن شئت
إرسال
شكراً لإخبارنا.
تعذر الإرسال. حاول مرة أخرى.
إغلاق
فتح المحادثة
فتح المحادثة: توجد إجابة جديدة
جارٍ الاتصال…

انقطع الاتصال؛ جارٍ استعادته…
أنت غير متصل؛ تُرسل الأسئلة عند عودتك
لا تسمح الخدمة لهذه الصفحة (الرمز {code})
جارٍ الإرسال…
بانتظار الإجابة السابقة
سحب السؤال
انتهت صلاحية تسجيل دخولك. سجّل الدخول من جديد ثم أعد المحاولة.
لا يُسمح لهذا الموقع ({origin}) باستخدام المحادثة. يُرجى إبلاغ القائمين عليه.
إعادة المحاولة
نص جديد في الأسفل
قل سؤالك
لم يُسمع شيء. حاول مرة أخرى أو اكتب.
عرض الأسئلة السابقة
المحادثات
لا توجد محادثات
عرض المزيد
إعادة التسمية
تثبيت
إلغاء التثبيت
تصدير
حذف
حذف نهائي`);var Wt=S(`Fragen Sie die Hilfeseiten
Frage eingeben
Ihre Frage
Fragen
Anhalten
Neues Gespräch
Stellen Sie eine Frage. Die Antwort kommt mit ihren Quellen.
Gespräch
Antwort
Wird gesendet, sobald eine Verbindung besteht
die Hilfeseiten
Suche läuft: {place} …
Gelesene Seiten: {count} …
Die Antwort wird geschrieben …
Die Antwort wird neu geschrieben …
Das habe ich gefunden
Dazu habe ich keine Antwort gefunden (durchsucht: {place})
Fragen Sie etwas zu diesem Thema: {place}
Dabei kann ich nicht helfen
Ich beantworte nur Fragen zu diesem Thema: {place}
Das darf ich hier nicht beantworten
Diese Seiten kommen dem am nächsten
Sie können auch einen Menschen fragen.
Kontakt
Angehalten
Es ist ein Fehler aufgetreten, deshalb gibt es keine Antwort
Im Moment gibt es zu viele Anfragen. Warten Sie kurz und fragen Sie noch einmal.
Quellen
Quelle {number}: {title}
Seite ohne Titel
Seite {page}
Quelle schließen
Seite öffnen
Die Seite ließ sich nicht öffnen. Versuchen Sie es noch einmal.
Die Quelle sagt das wörtlich.
Die Quelle belegt das.
Die Quelle belegt das zum Teil.
Die Quelle handelt davon, sagt es aber vielleicht nicht: bitte prüfen.
Verwandte Fragen
Fragen für den Anfang
Kopieren
Kopiert
Nicht kopiert
Antwort kopieren
Link zu dieser Frage kopieren
Noch einmal fragen
Frage bearbeiten
Das hat geholfen
Das hat nicht geholfen
Was war daran falsch?
Es stimmt nicht
Danach habe ich nicht gefragt
Es fehlt etwas
Die Quelle passt nicht
Es ist schädlich oder beleidigend
Es ist schwer zu lesen
Sagen Sie uns mehr, wenn Sie mögen
Senden
Danke für die Rückmeldung.
Das ließ sich nicht senden. Versuchen Sie es noch einmal.
Schließen
Chat öffnen
Chat öffnen: es gibt eine neue Antwort
Verbinden …

Die Verbindung ist abgebrochen; sie wird wiederhergestellt …
Sie sind offline; Fragen werden gesendet, sobald Sie wieder verbunden sind
Der Dienst lässt diese Seite nicht zu (Code {code})
Wird gesendet …
Wartet auf die Antwort darüber
Zurücknehmen
Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an und versuchen Sie es noch einmal.
Diese Website ({origin}) darf den Chat nicht nutzen. Bitte sagen Sie es dem Betreiber.
Noch einmal versuchen
Neuer Text weiter unten
Diktieren
Nichts gehört. Versuchen Sie es noch einmal, oder tippen Sie.
Frühere Fragen zeigen
Gespräche
Keine Gespräche
Mehr zeigen
Umbenennen
Anheften
Lösen
Exportieren
Löschen
Endgültig löschen`);var jt=S(`Preguntar a las páginas de ayuda
Haga una pregunta
Su pregunta
Preguntar
Detener
Nueva conversación
Haga una pregunta. La respuesta llega con sus fuentes.
Conversación
Respuesta
Se enviará en cuanto haya conexión
las páginas de ayuda
Buscando en {place}…
Leyendo páginas: {count}…
Escribiendo la respuesta…
Escribiendo la respuesta de nuevo…
Esto es lo que encontré
No encontré respuesta en {place}
Pregunte algo sobre {place} y lo buscaré
No puedo ayudarle con eso
Solo puedo responder preguntas sobre {place}
Eso no puedo responderlo aquí
Estas páginas son las más cercanas
También puede preguntar a una persona.
Contacto
Detenida
Algo salió mal y no hay respuesta
Hay demasiadas consultas en este momento. Espere un poco y vuelva a preguntar.
Fuentes
Fuente {number}: {title}
Página sin título
página {page}
Cerrar la fuente
Abrir la página
No se pudo abrir la página. Inténtelo de nuevo.
La fuente lo dice palabra por palabra.
La fuente lo respalda.
La fuente lo respalda en parte.
La fuente trata de esto, pero quizá no lo diga: compruébelo.
Preguntas relacionadas
Preguntas para empezar
Copiar
Copiado
No copiado
Copiar la respuesta
Copiar un enlace a esta pregunta
Preguntar de nuevo
Editar la pregunta
Me ayudó
No me ayudó
¿Qué estaba mal?
No es correcto
No es lo que pregunté
Falta algo
La fuente no corresponde
Es dañino u ofensivo
Es difícil de leer
Cuéntenos más, si quiere
Enviar
Gracias por decírnoslo.
No se pudo enviar. Inténtelo de nuevo.
Cerrar
Abrir el chat
Abrir el chat: hay una respuesta nueva
Conectando…

Se perdió la conexión; reconectando…
Está sin conexión; las preguntas se enviarán cuando vuelva
El servicio no admite esta página (código {code})
Enviando…
En espera de la respuesta anterior
Retirar
Su sesión ha caducado. Vuelva a iniciar sesión e inténtelo de nuevo.
Este sitio web ({origin}) no puede usar el chat. Avise a quien lo gestiona.
Intentar de nuevo
Hay texto nuevo abajo
Dictar la pregunta
No se ha oído nada. Inténtelo de nuevo o escriba.
Mostrar preguntas anteriores
Conversaciones
No hay conversaciones
Mostrar más
Cambiar el nombre
Fijar
Desfijar
Exportar
Eliminar
Eliminar definitivamente`);var Gt=S(`Interroger les pages d’aide
Posez une question
Votre question
Demander
Arrêter
Nouvelle conversation
Posez une question. La réponse arrive avec ses sources.
Conversation
Réponse
Sera envoyée dès qu’il y aura une connexion
les pages d’aide
Recherche dans {place}…
Pages lues : {count}…
Rédaction de la réponse…
La réponse est réécrite…
Voici ce que j’ai trouvé
Je n’ai pas trouvé de réponse dans {place}
Demandez-moi quelque chose sur {place} et je chercherai
Je ne peux pas vous aider sur ce point
Je ne réponds qu’aux questions sur {place}
Je ne peux pas répondre à cela ici
Ces pages s’en approchent le plus
Vous pouvez aussi demander à une personne.
Nous contacter
Arrêtée
Une erreur est survenue, il n’y a pas de réponse
Il y a trop de demandes en ce moment. Patientez un peu, puis reposez votre question.
Sources
Source {number} : {title}
Page sans titre
page {page}
Fermer la source
Ouvrir la page
La page n’a pas pu être ouverte. Réessayez.
La source le dit mot pour mot.
La source le confirme.
La source le confirme en partie.
La source en parle, mais ne le dit peut-être pas : à vérifier.
Questions proches
Questions pour commencer
Copier
Copié
Non copié
Copier la réponse
Copier un lien vers cette question
Poser à nouveau la question
Modifier la question
Cela m’a aidé
Cela ne m’a pas aidé
Qu’est-ce qui n’allait pas ?
Ce n’est pas exact
Ce n’est pas ma question
Il manque quelque chose
La source ne convient pas
C’est nuisible ou offensant
C’est difficile à lire
Dites-nous-en plus, si vous voulez
Envoyer
Merci de nous l’avoir dit.
Cela n’a pas pu être envoyé. Réessayez.
Fermer
Ouvrir le chat
Ouvrir le chat : il y a une nouvelle réponse
Connexion…

La connexion est perdue ; reconnexion…
Vous êtes hors ligne ; les questions partiront à votre retour
Le service n’admet pas cette page (code {code})
Envoi…
Attend la réponse ci-dessus
Retirer
Votre session a expiré. Reconnectez-vous, puis réessayez.
Ce site ({origin}) ne peut pas utiliser le chat. Merci d’en avertir son responsable.
Réessayer
Nouveau texte plus bas
Dicter la question
Rien entendu. Réessayez ou écrivez.
Afficher les questions précédentes
Conversations
Aucune conversation
Afficher plus
Renommer
Épingler
Désépingler
Exporter
Supprimer
Supprimer définitivement`);var Qt=S(`ヘルプページに質問
質問を入力
質問
質問する
停止
新しい会話
質問してください。回答には出典が付きます。
会話
回答
接続され次第送信します
ヘルプページ
{place}を検索中…
{count} ページを確認中…
回答を作成中…
回答を作り直しています…
次のことがわかりました
{place}に答えは見つかりませんでした
{place}について質問してください。お調べします
それについてはお手伝いできません
{place}に関する質問にのみお答えできます
ここではお答えできません
近い内容のページ
担当者に問い合わせることもできます。
お問い合わせ
停止しました
問題が発生し、回答できませんでした
現在、質問が集中しています。しばらくしてから、もう一度お試しください。
出典
出典 {number}：{title}
無題のページ
{page} ページ
出典を閉じる
ページを開く
ページを開けませんでした。もう一度お試しください。
出典にそのまま書かれています。
出典が裏付けています。
出典が一部裏付けています。
関連する出典ですが、そう書かれていない可能性があります。ご確認ください。
関連する質問
最初の質問の例
コピー
コピーしました
コピーできませんでした
回答をコピー
この質問へのリンクをコピー
もう一度質問
質問を編集
役に立った
役に立たなかった
何が問題でしたか？
正しくない
質問と違う
足りない内容がある
出典が合っていない
有害または不快
読みにくい
よろしければ詳しくお聞かせください
送信
ご協力ありがとうございます。
送信できませんでした。もう一度お試しください。
閉じる
チャットを開く
チャットを開く：新しい回答があります
接続中…

接続が切れました。再接続しています…
オフラインです。復帰後に質問を送信します
このページからはサービスを利用できません（コード {code}）
送信中…
上の回答を待っています
取り消す
サインインの有効期限が切れました。もう一度サインインしてから、やり直してください。
このサイト（{origin}）ではチャットを利用できません。サイトの運営者にお知らせください。
もう一度試す
下に新しい内容があります
質問を話す
聞き取れませんでした。もう一度試すか、入力してください。
以前の質問を表示
会話
会話はありません
さらに表示
名前を変更
ピン留め
ピン留めを外す
エクスポート
削除
完全に削除`);var Vt=S(`Perguntar às páginas de ajuda
Faça uma pergunta
A sua pergunta
Perguntar
Parar
Nova conversa
Faça uma pergunta. A resposta vem com as suas fontes.
Conversa
Resposta
Será enviada assim que houver ligação
as páginas de ajuda
A pesquisar: {place}…
Páginas lidas: {count}…
A escrever a resposta…
A escrever a resposta de novo…
Eis o que encontrei
Não encontrei resposta para isso (pesquisei: {place})
Pergunte algo sobre este tema: {place}
Não posso ajudar com isso
Só respondo a perguntas sobre este tema: {place}
Não posso responder a isso aqui
Estas páginas são as mais próximas
Também pode perguntar a uma pessoa.
Contacto
Parada
Algo correu mal e não há resposta
Há demasiados pedidos neste momento. Aguarde um pouco e pergunte de novo.
Fontes
Fonte {number}: {title}
Página sem título
página {page}
Fechar a fonte
Abrir a página
Não foi possível abrir a página. Tente de novo.
A fonte diz isto palavra por palavra.
A fonte confirma isto.
A fonte confirma isto em parte.
A fonte trata disto, mas talvez não o diga: verifique.
Perguntas relacionadas
Perguntas para começar
Copiar
Copiado
Não copiado
Copiar a resposta
Copiar uma ligação para esta pergunta
Perguntar de novo
Editar a pergunta
Ajudou
Não ajudou
O que estava errado?
Não está correto
Não foi o que perguntei
Falta alguma coisa
A fonte não corresponde
É nocivo ou ofensivo
É difícil de ler
Conte-nos mais, se quiser
Enviar
Agradecemos a sua opinião.
Não foi possível enviar. Tente de novo.
Fechar
Abrir o chat
Abrir o chat: há uma resposta nova
A ligar…

A ligação foi perdida; a restabelecer…
Está sem ligação; as perguntas serão enviadas quando voltar
O serviço não admite esta página (código {code})
A enviar…
À espera da resposta acima
Retirar
A sua sessão expirou. Inicie sessão de novo e tente outra vez.
Este site ({origin}) não pode usar o chat. Avise quem o gere.
Tentar de novo
Há texto novo em baixo
Ditar a pergunta
Nada foi ouvido. Tente de novo ou escreva.
Mostrar perguntas anteriores
Conversas
Não há conversas
Mostrar mais
Mudar o nome
Fixar
Desafixar
Exportar
Eliminar
Eliminar definitivamente`);var Zt=S(`向帮助页面提问
请输入问题
您的问题
提问
停止
新对话
请提出问题，回答会附上来源。
对话
回答
连接后将立即发送
帮助页面
正在搜索{place}…
正在阅读 {count} 个页面…
正在撰写回答…
正在重新撰写回答…
这是我找到的内容
在{place}中没有找到答案
请问我有关{place}的问题，我会查找
这个我帮不了
我只能回答有关{place}的问题
这个问题我在这里不能回答
最接近的页面
您也可以咨询人工客服。
联系我们
已停止
出了问题，没有得到回答
目前请求过多，请稍候再试。
来源
来源 {number}：{title}
无标题页面
第 {page} 页
关闭来源
打开页面
无法打开页面，请重试。
来源中有原话。
来源支持这一点。
来源部分支持这一点。
来源与此有关，但未必这样说，请核实。
相关问题
可以从这些问题开始
复制
已复制
未复制
复制回答
复制此问题的链接
再问一次
编辑问题
有帮助
没有帮助
哪里有问题？
内容不正确
不是我问的
缺少内容
来源不符
有害或冒犯
难以阅读
愿意的话，请多说一些
发送
感谢您的反馈。
未能发送，请重试。
关闭
打开聊天
打开聊天：有新回答
正在连接…

连接已断开，正在恢复…
您已离线，恢复后将发送问题
服务不允许此页面接入（代码 {code}）
正在发送…
等待上一个回答完成
撤回
您的登录已过期。请重新登录后再试。
此网站（{origin}）不能使用聊天。请告知网站管理者。
重试
下方有新内容
语音提问
没有听到声音。请重试或输入文字。
显示更早的问题
对话
没有对话
显示更多
重命名
置顶
取消置顶
导出
删除
永久删除`);var Kt={ar:Ut,de:Wt,en:te,es:jt,fr:Gt,ja:Qt,pt:Vt,zh:Zt},Kn=["ar"];function Yt(r){let t=r.map(i=>i.toLowerCase().split(/[-_]/)[0]??"").find(i=>Object.hasOwn(Kt,i))??"en",n=Kn.includes(t)?"rtl":"ltr";return{code:t,direction:n,texts:{...te,...Kt[t]}}}function T(r,e){return r.replace(/\{(\w+)\}/g,(t,n)=>String(e[n]??t))}var Jt=Number.POSITIVE_INFINITY;function ve(r,e=Jt,t=Jt){let{ranges:n,passage:i}=r,{text:s}=i,a=Math.max((n[0]?.start??0)-e,0),o=(n.at(-1)?.end??0)+t,l=a?["…"]:[],p=a;for(let{start:d,end:g}of n)d<p||(l.push(s.slice(p,d),c("mark",{textContent:s.slice(d,g)})),p=g);return[...l,s.slice(p,o),s.length>o?"…":""]}function we(r,e){switch(r){case"verbatim":return e.supportVerbatim;case"strong":return e.supportStrong;case"partial":return e.supportPartial;case"weak":return e.supportWeak;default:return""}}var it="M6 4.6 12 10.6 18 4.6 19.4 6 13.4 12 19.4 18 18 19.4 12 13.4 6 19.4 4.6 18 10.6 12 4.6 6z",Yn=832,ye=class{constructor(e,t,n,i){this.texts=e;this.chat=t;this.pageLink=n;this.closed=i;let s=c("button",{type:"button",className:"icon","aria-label":e.closeSource});s.append(C(it)),s.onclick=()=>this.close();let a=c("div",{className:"source-head"},this.heading,s);this.node=c("aside",{className:"source",part:"source",hidden:!0}),this.node.setAttribute("aria-label",e.sources),this.node.append(a,this.body),new ResizeObserver(()=>this.settle()).observe(t)}texts;chat;pageLink;closed;node;body=c("div",{className:"source-body"});heading=c("h3",{tabIndex:-1});before;get isOpen(){return!this.node.hidden}open(e,t){this.before=e,this.fill(t),this.node.hidden=!1,this.body.scrollTop=0,this.settle(),this.heading.focus(),this.body.querySelector("mark")?.scrollIntoView({block:"nearest"})}close(){this.isOpen&&(this.node.hidden=!0,this.settle(),this.before?.isConnected&&this.before.focus(),this.closed())}fill({number:e,source:t,evidence:n,support:i}){let{texts:s}=this,{heading:a,passage:o}=n,l=t.title||s.untitled;this.heading.textContent=T(s.source,{number:e,title:l}),this.heading.dir="auto";let p=[l,a===l?"":a].filter(Boolean).join(" › "),d=o.page?T(s.page,{page:o.page}):"",g=we(i,s);this.body.replaceChildren(c("p",{className:"trail",dir:"auto",textContent:[p,d].filter(Boolean).join(" · ")}),...g?[c("p",{className:"support",textContent:g})]:[],c("blockquote",{className:"passage",dir:"auto"},...ve(n)));let{start:h,end:u}=n.ranges[0]??{start:0,end:0},f=this.pageLink(t,o.text.slice(h,u));f&&this.body.append(f)}settle(){let e=this.isOpen&&this.chat.clientWidth<Yn;this.chat.toggleAttribute("data-source",this.isOpen);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}};var Jn="M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z",Te=class{constructor(e,t){this.texts=e;this.panel=t;this.bubble=c("button",{type:"button",className:"bubble",part:"bubble","aria-haspopup":"dialog","aria-expanded":"false"}),this.bubble.append(C(Jn),C(it),this.unread),this.bubble.onclick=()=>this.isOpen?this.close():this.open(),this.dialog=c("div",{className:"dialog",part:"dialog",role:"dialog","aria-label":e.title,hidden:!0},t),this.dialog.addEventListener("keydown",n=>{n.key!=="Escape"||n.defaultPrevented||(n.stopPropagation(),this.close())}),this.node=c("div",{className:"launcher"},this.dialog,this.bubble),this.label()}texts;panel;node;bubble;dialog;unread=c("span",{className:"unread",hidden:!0,"aria-hidden":"true"});before;get isOpen(){return!this.dialog.hidden}open(){if(this.isOpen)return;let e=document.activeElement;this.before=e instanceof HTMLElement&&e!==document.body?e:void 0,this.dialog.hidden=!1,this.unread.hidden=!0,this.label(),this.panel.querySelector("textarea")?.focus()}close(){if(!this.isOpen)return;this.dialog.hidden=!0,this.label(),(this.before?.isConnected&&!this.before.shadowRoot?this.before:this.bubble).focus()}markUnread(){this.isOpen||(this.unread.hidden=!1,this.label(),y(this.bubble,this.texts.openUnread))}label(){let{texts:e,isOpen:t}=this,n=this.unread.hidden?e.open:e.openUnread;this.bubble.setAttribute("aria-label",t?e.close:n),this.bubble.setAttribute("aria-expanded",String(t))}};function Se(r,e){let t=e.map(l=>r.map(p=>Xn(p,l.text))),n=t.map(l=>l.filter(Boolean).length),i=Math.max(n.indexOf(Math.max(...n)),0),s=e[i]??{text:"",page:void 0},a=(t[i]??[]).flatMap(l=>l??[]);a.sort((l,p)=>l.start-p.start);let o=r.every((l,p)=>t.some(d=>d[p]?.isWhole));return{passage:s,ranges:a,isComplete:o,heading:ei(s.text,a[0]?.end)}}function Xn(r,e){let t=r.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,i)=>i.length-n.length);for(let[n,i]of[r.trim(),...t].entries()){let s=i?e.indexOf(i):-1,a=n===0||t.length===1;if(s>=0)return{start:s,end:s+i.length,isWhole:a}}}function ei(r,e=r.length){let t=r.slice(0,e).split(/\n{2,}/).slice(0,-1),n=i=>i.length<=120&&!i.includes(`
`)&&!/[.:;,。：]$/.test(i)&&!/^\W*$/.test(i);return t.filter(n).at(-1)?.trim()??""}var ti=.8,ni=.5,M=class{constructor(e){this.answer=e;let{text:t,citations:n,supports:i}=e;this.ranges=Xt(t,n);let s=i.filter(({groundingScore:a})=>a!==void 0);this.scored=s.flatMap(a=>Xt(t,[a]).map(o=>({...o,score:a.groundingScore??0})));for(let a of this.ranges.flatMap(({sources:o})=>o))e.references[a]&&!this.numbers.has(a)&&this.numbers.set(a,this.numbers.size+1)}answer;numbers=new Map;ranges;scored;indexesIn(e,t){let n=this.within(e,t).flatMap(({sources:i})=>i);return[...new Set(n)].filter(i=>this.numbers.has(i))}cited(e,t=0,n=Number.POSITIVE_INFINITY){let i=this.within(t,n).filter(({sources:p})=>p.includes(e)),s=i.map(p=>this.answer.text.slice(p.start,p.end)),a=st(this.answer.references[e]??{},e),o=Se(s,a.passages);return{number:this.numbers.get(e)??e+1,source:a,evidence:o,support:this.support(e,i,o)}}within(e,t){return this.ranges.filter(n=>n.end>e&&n.end<=t)}support(e,t,n){if(t.length&&n.isComplete)return"verbatim";let i=this.scored.filter(({sources:a})=>a.includes(e)).filter(a=>t.some(({start:o,end:l})=>o<a.end&&a.start<l)).map(({score:a})=>a);if(!i.length)return;let s=Math.min(...i);return s>=ti?"strong":s>=ni?"partial":"weak"}};function Xt(r,e){let t=new TextEncoder().encode(r),n=new TextDecoder,i=[],s=0,a=0,o=l=>(l<s&&([s,a]=[0,0]),a+=n.decode(t.subarray(s,l)).length,s=l,a);for(let{startIndex:l,endIndex:p,sources:d}of e){let g=Number(p??0);!g||g>t.length||i.push({start:o(Number(l??0)),end:o(g),sources:(d??[]).map(({referenceId:h})=>Number(h??0))})}return i}function st(r,e){let t=r.unstructuredDocumentInfo,n=r.chunkInfo,i=t??r.structuredDocumentInfo??n?.documentMetadata??{},s=[...t?.chunkContents??[],...n?[n]:[]],a=i.document??"";return{index:e,title:i.title||a.split("/").pop()||"",document:a,uri:i.uri??"",passages:s.map(o=>({text:o.content??"",page:("pageIdentifier"in o?o.pageIdentifier:void 0)??i.pageIdentifier}))}}function Ee(){return{async:!1,breaks:!1,extensions:null,gfm:!0,hooks:null,pedantic:!1,renderer:null,silent:!1,tokenizer:null,walkTokens:null}}var Ce=Ee();var D={exec:()=>null};function $(r){let e=[];return t=>{let n=Math.max(0,Math.min(3,t-1)),i=e[n];return i||(i=r(n),e[n]=i),i}}function m(r,e=""){let t=typeof r=="string"?r:r.source,n={replace:(i,s)=>{let a=typeof s=="string"?s:s.source;return a=a.replace(E.caret,"$1"),t=t.replace(i,a),n},getRegex:()=>new RegExp(t,e)};return n}var sn=((r="")=>{try{return!!new RegExp("(?<=1)(?<!1)"+r)}catch{return!1}})(),E={codeRemoveIndent:/^(?: {0,3}\t| {1,4})/gm,listInterruptsParagraph:/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/,outputLinkReplace:/\\([\[\]])/g,indentCodeCompensation:/^(\s+)(?:```)/,beginningSpace:/^\s+/,endingHash:/#$/,startingSpaceChar:/^ /,endingSpaceChar:/ $/,endingSpaceTabChar:/[ \t]$/,nonSpaceChar:/[^ ]/,newLineCharGlobal:/\n/g,tabCharGlobal:/\t/g,leadingSpaceTab:/^[ \t]+/,multipleSpaceGlobal:/\s+/g,blankLine:/^[ \t]*$/,doubleBlankLine:/\n[ \t]*\n[ \t]*$/,blockquoteStart:/^ {0,3}>/,blockquoteSetextReplace:/\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g,blockquoteSetextReplace2:/^ {0,3}>[ \t]?/gm,blockquoteMarkerWhitespace:/^( {0,3}>)(\t[ \t]*)/gm,nestedBlockMarker:/^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/,listReplaceNesting:/^ {1,4}(?=( {4})*[^ ])/g,listIsTask:/^\[[ xX]\][ \t]+\S/,listReplaceTask:/^\[[ xX]\][ \t]+/,listTaskCheckbox:/\[[ xX]\]/,anyLine:/\n.*\n/,hrefBrackets:/^<(.*)>$/,tableDelimiter:/[:|]/,tableAlignChars:/^\||\| *$/g,tableRowBlankLine:/\n[ \t]*$/,tableAlignRight:/^ *-+: *$/,tableAlignCenter:/^ *:-+: *$/,tableAlignLeft:/^ *:-+ *$/,startATag:/^<a /i,endATag:/^<\/a>/i,startPreScriptTag:/^<(pre|code|kbd|script)(\s|>)/i,endPreScriptTag:/^<\/(pre|code|kbd|script)(\s|>)/i,startAngleBracket:/^</,endAngleBracket:/>$/,pedanticHrefTitle:/^([^'"]*[^\s])\s+(['"])(.*)\2/,unicodeAlphaNumeric:/[\p{L}\p{N}]/u,numericCharacterReference:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/,numericCharacterReferenceOrAmpersand:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,escapeTest:/[&<>"']/,escapeReplace:/[&<>"']/g,escapeTestNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/,escapeReplaceNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,caret:/(^|[^\[])\^/g,percentDecode:/%25/g,findPipe:/\|/g,splitPipe:/ \|/,slashPipe:/\\\|/g,carriageReturn:/\r\n|\r/g,spaceLine:/^ +$/gm,notSpaceStart:/^\S*/,endingNewline:/\n$/,listItemRegex:r=>new RegExp(`^( {0,3}${r})((?:[	 ][^\\n]*)?(?:\\n|$))`),nextBulletRegex:$(r=>new RegExp(`^ {0,${r}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)),hrRegex:$(r=>new RegExp(`^ {0,${r}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)),fencesBeginRegex:$(r=>new RegExp(`^ {0,${r}}(?:\`\`\`|~~~)`)),headingBeginRegex:$(r=>new RegExp(`^ {0,${r}}#{1,6}(?:\\s|$)`)),pedanticHeadingBeginRegex:$(r=>new RegExp(`^ {0,${r}}#`)),htmlBeginRegex:$(r=>new RegExp(`^ {0,${r}}(?:</?(?:${at})(?:[ \\t]+|$|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,"i")),blockquoteBeginRegex:$(r=>new RegExp(`^ {0,${r}}>`)),nestedContainerMarkers:/^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/},ii=/^(?:[ \t]*(?:\n|$))+/,si=/^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/,ri=/^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/,ne=/^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/,oi=/^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/,ot=/ {0,3}(?:[*+-]|\d{1,9}[.)])/,at="address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul",ie=m(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("tag",at).getRegex(),rn=/^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/,on=m(rn).replace(/bull/g,ot).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g,"").replace(/html/g,ie).getRegex(),ai=m(rn).replace(/bull/g,ot).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g,/ {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).replace(/html/g,ie).getRegex(),lt=/^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/,li=/^[^\n]+/,ct=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/,ci=m(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label",ct).replace("title",/(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex(),pi=m(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g,ot).getRegex(),pt=/<!--(?:-?>|[\s\S]*?(?:-->|$))/,di=m("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))","i").replace("comment",pt).replace("tag",at).replace("attribute",/[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).getRegex(),an=r=>m(lt).replace("hr",ne).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("|table","").replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list",r).replace("html",ie).getRegex(),ui=an(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/),hi=an(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/),gi=m(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph",hi).getRegex(),dt={blockquote:gi,code:si,def:ci,fences:ri,heading:oi,hr:ne,html:di,lheading:on,list:pi,newline:ii,paragraph:ui,table:D,text:li},en=m("^ *([^\\n ].*)\\n {0,3}((?:\\| *)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr",ne).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("blockquote"," {0,3}>").replace("code","(?: {4}| {0,3}	)[^\\n]").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html",ie).getRegex(),fi={...dt,lheading:ai,table:en,paragraph:m(lt).replace("hr",ne).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("table",en).replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html",ie).getRegex()},mi={...dt,html:m(`^ *(?:comment(?: *\\n|\\s*$)|<(tag)[\\s\\S]+?</\\1>(?: *\\n{2,}|\\s*$)|<tag(?:"[^"]*"|'[^']*'|\\s[^'"/>\\s]*)*?/?>(?: *\\n{2,}|\\s*$))`).replace("comment",pt).replace(/tag/g,"(?!(?:a|em|strong|small|s|cite|q|dfn|abbr|data|time|code|var|samp|kbd|sub|sup|i|b|u|mark|ruby|rt|rp|bdi|bdo|span|br|wbr|ins|del|img)\\b)\\w+(?!:|[^\\w\\s@]*@)\\b").getRegex(),def:/^ *\[([^\]]+)\]: *<?([^\s>]+)>?(?: +(["(][^\n]+[")]))? *(?:\n+|$)/,heading:/^(#{1,6})(.*)(?:\n+|$)/,fences:D,lheading:/^(.+?)\n {0,3}(=+|-+) *(?:\n+|$)/,paragraph:m(lt).replace("hr",ne).replace("heading",` *#{1,6} *[^
]`).replace("|table","").replace("blockquote"," {0,3}>").replace("|fences","").replace("|list","").replace("|html","").replace("|tag","").replace("lheading",on).getRegex()},xi=/^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/,bi=/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/,ln=/^( {2,}|\\)\n(?!\s*$)[ \t]*/,ki=/^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/,P=/[\p{P}\p{S}]/u,j=/[\s\p{P}\p{S}]/u,se=/[^\s\p{P}\p{S}]/u,vi=m(/^((?![*_])punctSpace)/,"u").replace(/punctSpace/g,j).getRegex(),wi=/[\p{Pi}\p{Ps}"']/u,cn=/(?!~)[\p{P}\p{S}]/u,yi=/(?!~)[\s\p{P}\p{S}]/u,Ti=/(?:[^\s\p{P}\p{S}]|~)/u,Si=m(/link|precode-code|html/,"g").replace("link",/\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).replace("precode-",sn?"(?<!`)()":"(^^|[^`])").replace("code",/(?<b>`+)[^`]+\k<b>(?!`)/).replace("html",/<(?! )[^<>]*?>/).getRegex(),pn=/^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/,Ei=m(pn,"u").replace(/punct/g,P).getRegex(),Ci=m(pn,"u").replace(/punct/g,cn).getRegex(),Ri=/^(?:\*+(?:((?!\*)(?!openQuote)punct)|([^\s*]))?)|^_+(?:((?!_)(?!openQuote)punct)|([^\s_]))?/,Ai=m(Ri,"u").replace(/openQuote/g,wi).replace(/punct/g,P).getRegex(),dn="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)",Li=m(dn,"gu").replace(/notPunctSpace/g,se).replace(/punctSpace/g,j).replace(/punct/g,P).getRegex(),Pi=m(dn,"gu").replace(/notPunctSpace/g,Ti).replace(/punctSpace/g,yi).replace(/punct/g,cn).getRegex(),Ni="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)[\\s](\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|(?:(?!\\*)punct|notPunctSpace)(\\*+)(?!\\*)(?=notPunctSpace)",_i=m(Ni,"gu").replace(/notPunctSpace/g,se).replace(/punctSpace/g,j).replace(/punct/g,P).getRegex(),Ii=m("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)","gu").replace(/notPunctSpace/g,se).replace(/punctSpace/g,j).replace(/punct/g,P).getRegex(),Oi="^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)[\\s](_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)|(?:(?!_)punct|notPunctSpace)(_+)(?!_)(?=notPunctSpace)",Mi=m(Oi,"gu").replace(/notPunctSpace/g,se).replace(/punctSpace/g,j).replace(/punct/g,P).getRegex(),$i=m(/^~~?(?:((?!~)punct)|[^\s~])/,"u").replace(/punct/g,P).getRegex(),Di="^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)",qi=m(Di,"gu").replace(/notPunctSpace/g,se).replace(/punctSpace/g,j).replace(/punct/g,P).getRegex(),zi=m(/\\(punct)/,"gu").replace(/punct/g,P).getRegex(),Bi=m(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/,"gu").replace(/punct/g,P).getRegex(),Hi=m(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme",/[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email",/[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).getRegex(),Fi=m(pt).replace("(?:-->|$)","-->").getRegex(),Ui=m("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment",Fi).replace("attribute",/\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).getRegex(),un=/\[(?:\\[\s\S]|[^\[\]\\])*\]/,Re=m(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brackets",un).getRegex(),Wi=m(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label",Re).replace("href",/<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).replace("title",/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex(),ji=m(/^!?\[(label)\]\[(ref)\]/).replace("label",Re).replace("ref",ct).getRegex(),Gi=m(/^!?\[(ref)\](?:\[\])?/).replace("ref",ct).getRegex(),tn=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/,Qi=m(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).replace("brackets",un).getRegex(),Vi=m("reflink|nolink(?!\\()","g").replace("reflink",m(/^!?\[(label)\]\[(ref)\]/).replace("label",Qi).replace("ref",tn).getRegex()).replace("nolink",m(/^!?\[(ref)\](?:\[\])?/).replace("ref",tn).getRegex()).getRegex(),nn=/[hH][tT][tT][pP][sS]?|[fF][tT][pP]/,Zi=/[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/,Ki=m(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g,Zi).getRegex(),ut={_backpedal:D,anyPunctuation:zi,anyPunctuationOutsideCode:Bi,autolink:Hi,blockSkip:Si,br:ln,code:bi,del:D,delLDelim:D,delRDelim:D,emStrongLDelim:Ei,emStrongRDelimAst:Li,emStrongRDelimUnd:Ii,escape:xi,link:Wi,nolink:Gi,punctuation:vi,reflink:ji,reflinkSearch:Vi,tag:Ui,text:ki,url:D},Yi={...ut,emStrongLDelim:Ai,emStrongRDelimAst:_i,emStrongRDelimUnd:Mi,link:m(/^!?\[(label)\]\((.*?)\)/).replace("label",Re).getRegex(),reflink:m(/^!?\[(label)\]\s*\[([^\]]*)\]/).replace("label",Re).getRegex()},rt={...ut,emStrongRDelimAst:Pi,emStrongLDelim:Ci,delLDelim:$i,delRDelim:qi,url:m(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol",Ki).replace("protocol",nn).replace("email",/[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(),_backpedal:/(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/,del:/^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/,text:m(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).replace("protocol",nn).replace(/emailProtocol/g,/(?:mailto|xmpp):/).replace("wwwStart",sn?"(?<![^\\s*_~(])www\\.":"www\\.").getRegex()},Ji={...rt,br:m(ln).replace("{2,}","*").getRegex(),text:m(rt.text).replace("\\b_","\\b_| {2,}\\n").replace(/\{2,\}/g,"*").getRegex()},re={normal:dt,gfm:fi,pedantic:mi},G={normal:ut,gfm:rt,breaks:Ji,pedantic:Yi};function hn(r){return E.numericCharacterReference.test(r)?r.replace(E.numericCharacterReferenceOrAmpersand,(e,t,n)=>{if(t===void 0&&n===void 0)return"&amp;";let i=t===void 0?Number.parseInt(n,16):Number.parseInt(t,10);return i===0||i>1114111||i>=55296&&i<=57343?"�":i===38?"&amp;":String.fromCodePoint(i)}):r}function ht(r,e){let t=r.replace(E.findPipe,(s,a,o)=>{let l=!1,p=a;for(;--p>=0&&o[p]==="\\";)l=!l;return l?"|":" |"}),n=t.split(E.splitPipe),i=0;if(n[0].trim()||n.shift(),n.length>0&&!n.at(-1)?.trim()&&n.pop(),e)if(n.length>e)n.splice(e);else for(;n.length<e;)n.push("");for(;i<n.length;i++)n[i]=n[i].trim().replace(E.slashPipe,"|");return n}function N(r,e,t){let n=r.length;if(n===0)return"";let i=0;for(;i<n;){let s=r.charAt(n-i-1);if(s===e&&!t)i++;else if(s!==e&&t)i++;else break}return r.slice(0,n-i)}function gt(r){let e=r.split(`
`),t=e.length-1;for(;t>=0&&E.blankLine.test(e[t]);)t--;return e.length-t<=2?r:e.slice(0,t+1).join(`
`)}function V(r){return r.trim().replace(E.multipleSpaceGlobal," ").toLowerCase().toUpperCase().toLowerCase()}function ft(r,e){if(r.indexOf(e[0])===-1&&r.indexOf(e[1])===-1)return-1;let t=0;for(let n=0;n<r.length;n++)if(r[n]==="\\")n++;else if(r[n]===e[0])t++;else if(r[n]===e[1]&&(t--,t<0))return n;return t>0?-2:-1}var Q=new WeakMap;function mt(r){let e={"*":-1,_:-1},t=-1,n=r.length;for(let i=0;i<n;i++){let s=r[i];if(s!=="*"&&s!=="_"&&s!=="~")continue;let a=i===0?`
`:r[i-1],o=i+1;for(;o<n&&r[o]===s;)o++;a!==" "&&a!=="	"&&a!==`
`&&a!=="\r"&&a!=="\f"&&(s==="~"?t=i:e[s]=i),i=o-1}return{maskedSrc:r,lastPossibleEmStrongCloserIndex:e,lastPossibleDelCloserIndex:t}}function gn(r,e){let t=mt(e),n=Q.get(r);n?n.push(t):Q.set(r,[t])}function fn(r){let e=Q.get(r);e&&(e.pop(),e.length===0&&Q.delete(r))}function Ae(r,e,t){let n=Q.get(r)?.at(-1);return n&&n.maskedSrc===e?n.lastPossibleEmStrongCloserIndex[t]:mt(e).lastPossibleEmStrongCloserIndex[t]}function Le(r,e){let t=Q.get(r)?.at(-1);return t&&t.maskedSrc===e?t.lastPossibleDelCloserIndex:mt(e).lastPossibleDelCloserIndex}function oe(r,e=0){let t=e,n="";for(let i of r)if(i==="	"){let s=4-t%4;n+=" ".repeat(s),t+=s}else n+=i,t++;return n}function Xi(r,e){let t="";for(let n=0;n<r.length;n++){if(r[n]==="`"){let i=e.inline.code.exec(r.slice(n));if(i){t+=i[0],n+=i[0].length-1;continue}}if(r[n]==="\\"&&(r[n+1]==="["||r[n+1]==="]")){t+=r[n+1],n++;continue}t+=r[n]}return t}function mn(r,e,t,n,i){let s=e.href,a=e.title||null,o=Xi(r[1],i),l=r[0].charAt(0)==="!",p=n.state.inLink,d=n.state.linkEmitted,g=n.state.inRawBlock;n.state.inLink=!0,n.state.linkEmitted=!1;let h=n.inlineTokens(o),u=n.state.linkEmitted;if(n.state.linkEmitted=d,n.state.inLink=p,!l){if(u){n.state.inRawBlock=g;return}n.state.linkEmitted=!0}return{type:l?"image":"link",raw:t,href:s,title:a,text:o,tokens:h}}function es(r,e,t){let n=r.match(t.other.indentCodeCompensation);if(n===null)return e;let i=n[1];return e.split(`
`).map(s=>{let a=s.match(t.other.beginningSpace);if(a===null)return s;let[o]=a;return s.slice(Math.min(o.length,i.length))}).join(`
`)}function xn(r,e,t,n){if(!e.includes("<"))return!1;for(let i=0;i<e.length;i++){if(e[i]==="\\"){i++;continue}if(e[i]==="`"){let o=n.inline.code.exec(e.slice(i));if(o){i+=o[0].length-1;continue}}if(e[i]!=="<")continue;let s=r.slice(t+i),a=n.inline.tag.exec(s)||n.inline.autolink.exec(s);if(a){if(a[0].length>e.length-i)return!0;i+=a[0].length-1}}return!1}var q=class{options;rules;lexer;constructor(e){this.options=e||Ce}space(e){let t=this.rules.block.newline.exec(e);if(t&&t[0].length>0)return{type:"space",raw:t[0]}}code(e){let t=this.rules.block.code.exec(e);if(t){let n=this.options.pedantic?t[0]:gt(t[0]),i=n.replace(this.rules.other.codeRemoveIndent,"");return{type:"code",raw:n,codeBlockStyle:"indented",text:i}}}fences(e){let t=this.rules.block.fences.exec(e);if(t){let n=t[0],i=es(n,t[3]||"",this.rules);return t[3]!==void 0&&(i===""||i.endsWith(`
`))&&(i+=`
`),{type:"code",raw:n,lang:t[2]?t[2].trim().replace(this.rules.inline.anyPunctuation,"$1"):t[2],text:i}}}heading(e){let t=this.rules.block.heading.exec(e);if(t){let n=t[2].trim();if(this.rules.other.endingHash.test(n)){let i=N(n,"#");(this.options.pedantic||!i||this.rules.other.endingSpaceTabChar.test(i))&&(n=i.trim())}return{type:"heading",raw:N(t[0],`
`),depth:t[1].length,text:n,tokens:this.lexer.inline(n)}}}hr(e){let t=this.rules.block.hr.exec(e);if(t)return{type:"hr",raw:N(t[0],`
`)}}blockquote(e){let t=this.rules.block.blockquote.exec(e);if(t){let n=N(t[0],`
`).split(`
`),i="",s="",a=[];for(;n.length>0;){let o=!1,l=[],p;for(p=0;p<n.length;p++)if(this.rules.other.blockquoteStart.test(n[p]))l.push(n[p]),o=!0;else if(!o)l.push(n[p]);else break;n=n.slice(p);let d=l.join(`
`),g=d.replace(this.rules.other.blockquoteMarkerWhitespace,(f,x,k)=>k.startsWith(" ")?x+" "+k.slice(1):x+oe(k,x.length)).replace(this.rules.other.blockquoteSetextReplace,`
    $1`).replace(this.rules.other.blockquoteSetextReplace2,"");i=i?`${i}
${d}`:d,s=s?`${s}
${g}`:g;let h=this.lexer.state.top;if(this.lexer.state.top=!0,this.lexer.blockTokens(g,a,!0),this.lexer.state.top=h,n.length===0)break;let u=a.at(-1);if(u?.type==="code"||u?.type==="heading"||u?.type==="hr"||u?.type==="html"||u?.type==="table")break;if(u?.type==="blockquote"){let f=u,x=n.join(`
`),k=f.raw+`
`+x.replace(this.rules.other.blockquoteSetextReplace2,""),b=this.blockquote(k);a[a.length-1]=b;let v=k.substring(b.raw.length).replace(/^\n/,""),_=v?v.split(`
`).length:0,w=_?n.slice(0,-_):n;if(w.length>0&&(i=`${i}
${w.join(`
`)}`),s=s.substring(0,s.length-f.text.length)+b.text,n=n.slice(w.length),n.length>0&&this.rules.other.blockquoteStart.test(n[0]))continue;break}else if(u?.type==="list"){let f=u,x=f.raw+`
`+n.join(`
`),k=this.list(x);a[a.length-1]=k;let b=k.raw.length>f.raw.length?x.slice(f.raw.length+1,k.raw.length).split(`
`).length:0;if(b>0){let v=n.slice(0,b).join(`
`);i=`${i}
${v}`,s=`${s}
${v}`}if(n=n.slice(b),n.length>0&&!this.rules.other.blockquoteStart.test(n[0]))break;continue}}return{type:"blockquote",raw:i,tokens:a,text:s}}}list(e){let t=this.rules.block.list.exec(e);if(t){if(!this.options.pedantic&&this.lexer.state.lastToken?.type==="text"&&!this.rules.other.listInterruptsParagraph.test(e))return;let n=e,i=()=>n.length-e.length,s=t[1].trim(),a=s.length>1,o={type:"list",raw:"",ordered:a,start:a?+s.slice(0,-1):"",loose:!1,items:[]};s=a?`\\d{1,9}\\${s.slice(-1)}`:`\\${s}`,this.options.pedantic&&(s=a?s:"[*+-]");let l=this.rules.other.listItemRegex(s),p=!1;for(;e;){let h=!1,u="";if(!(t=l.exec(e))||this.rules.block.hr.test(e))break;let f=i();e=e.substring(t[0].length);let x=t[2].split(`
`,1)[0],k=t[1].length,b=this.options.pedantic?oe(x,k):x.replace(this.rules.other.leadingSpaceTab,z=>oe(z,k)),v=e.split(`
`,1)[0],_=!b.trim(),w=0;if(this.options.pedantic?(w=2,u=b.trimStart()):_?w=k+1:(w=b.search(this.rules.other.nonSpaceChar),w=w>4?1:w,u=b.slice(w),w+=k),_&&this.rules.other.blankLine.test(v)&&(e=e.substring(v.length+1),h=!0),!h){let z=this.rules.other.nextBulletRegex(w),Y=this.rules.other.hrRegex(w),le=this.rules.other.fencesBeginRegex(w),O=this.options.pedantic?this.rules.other.pedanticHeadingBeginRegex(w):this.rules.other.headingBeginRegex(w),J=this.rules.other.htmlBeginRegex(w),ce=this.rules.other.blockquoteBeginRegex(w),Qe=!1;for(;e;){let wt=e.split(`
`,1)[0],B;if(v=wt,this.options.pedantic?(v=v.replace(this.rules.other.listReplaceNesting,"  "),B=v):B=v.replace(this.rules.other.leadingSpaceTab,R=>oe(R)),le.test(v)||O.test(v)||J.test(v)||ce.test(v)||z.test(v)||Y.test(v))break;if(B.search(this.rules.other.nonSpaceChar)>=w||!v.trim())u+=`
`+B.slice(w),Qe=!1;else{if(_)break;let R=b;if(!this.options.pedantic&&!u.includes(`
`)&&!b.includes("	")){let H;for(;!Y.test(R)&&(H=this.rules.other.nestedBlockMarker.exec(R));)R=R.slice(H[0].length);if(!R.trim())break}if(R.replace(this.rules.other.tabCharGlobal,"    ").search(this.rules.other.nonSpaceChar)>=4||le.test(R)||O.test(R)||J.test(R)||Y.test(R))break;if(!this.options.pedantic&&!Qe){let H=b.replace(this.rules.other.nestedContainerMarkers,"");if(this.rules.block.fences.test(H)||this.rules.block.heading.test(H)||this.rules.block.hr.test(H))break}let On=!this.options.pedantic&&/^ {0,3}(?:=+|-+) *$/.test(v)&&this.rules.block.lheading.test(`${b}
${v}`)?`    ${B.replace(/^ {0,3}/,"")}`:v;u+=`
`+On,Qe=!0}_=!v.trim(),e=e.substring(wt.length+1),b=B.slice(w)}}let K=n.slice(f,i());o.loose||(p?o.loose=!0:this.rules.other.doubleBlankLine.test(K)&&(p=!0)),o.items.push({type:"list_item",raw:K,task:!!this.options.gfm&&this.rules.other.listIsTask.test(u),loose:!1,text:u,tokens:[]})}let d=o.items.at(-1);if(d)d.raw=d.raw.trimEnd(),d.text=d.text.trimEnd();else return;o.raw=n.slice(0,i()).trimEnd();let g=[];for(let h of o.items)if(this.lexer.state.top=!1,g.push(this.lexer.inlineQueue.length),h.tokens=this.lexer.blockTokens(h.text,[]),!o.loose){let u=h.tokens.filter(x=>x.type==="space"),f=u.length>0&&u.some(x=>this.rules.other.anyLine.test(x.raw));o.loose=f}for(let h=0;h<o.items.length;h++){let u=o.items[h],f=u.tokens[0];if(u.task&&(f?.type==="text"||f?.type==="paragraph")){u.text=u.text.replace(this.rules.other.listReplaceTask,""),f.raw=f.raw.replace(this.rules.other.listReplaceTask,""),f.text=f.text.replace(this.rules.other.listReplaceTask,"");let x=this.lexer.inlineQueue;for(let b=g[h];b<x.length;b++)if(x[b].tokens===f.tokens){x[b].src=x[b].src.replace(this.rules.other.listReplaceTask,"");break}let k=this.rules.other.listTaskCheckbox.exec(u.raw);if(k){let b={type:"checkbox",raw:k[0]+" ",checked:k[0]!=="[ ]"};u.checked=b.checked,o.loose?u.tokens[0]&&["paragraph","text"].includes(u.tokens[0].type)&&"tokens"in u.tokens[0]&&u.tokens[0].tokens?(u.tokens[0].raw=b.raw+u.tokens[0].raw,u.tokens[0].text=b.raw+u.tokens[0].text,u.tokens[0].tokens.unshift(b)):u.tokens.unshift({type:"paragraph",raw:b.raw,text:b.raw,tokens:[b]}):u.tokens.unshift(b)}}else u.task&&(u.task=!1)}if(o.loose)for(let h of o.items){h.loose=!0;for(let u of h.tokens)u.type==="text"&&(u.type="paragraph")}return o}}html(e){let t=this.rules.block.html.exec(e);if(t){if(this.lexer.state.lastToken?.type==="paragraph"&&!this.rules.other.htmlBeginRegex(4).test(e))return;let n=gt(t[0]);return{type:"html",block:!0,raw:n,pre:t[1]==="pre"||t[1]==="script"||t[1]==="style",text:n}}}def(e){let t=this.rules.block.def.exec(e);if(t){if(!this.rules.other.startAngleBracket.test(t[2])&&ft(t[2],"()")!==-1)return;let n=V(t[1]),i=t[2]?t[2].replace(this.rules.other.hrefBrackets,"$1").replace(this.rules.inline.anyPunctuation,"$1"):"",s=t[3]?t[3].substring(1,t[3].length-1).replace(this.rules.inline.anyPunctuation,"$1"):t[3];return{type:"def",tag:n,raw:N(t[0],`
`),href:i,title:s}}}table(e){let t=this.rules.block.table.exec(e);if(!t||!this.rules.other.tableDelimiter.test(t[2]))return;let n=ht(t[1]),i=t[2].replace(this.rules.other.tableAlignChars,"").split("|"),s=t[3]?.trim()?t[3].replace(this.rules.other.tableRowBlankLine,"").split(`
`):[],a={type:"table",raw:N(t[0],`
`),header:[],align:[],rows:[]};if(n.length===i.length){for(let o of i)this.rules.other.tableAlignRight.test(o)?a.align.push("right"):this.rules.other.tableAlignCenter.test(o)?a.align.push("center"):this.rules.other.tableAlignLeft.test(o)?a.align.push("left"):a.align.push(null);for(let o=0;o<n.length;o++)a.header.push({text:n[o],tokens:this.lexer.inline(n[o]),header:!0,align:a.align[o]});for(let o of s)a.rows.push(ht(o,a.header.length).map((l,p)=>({text:l,tokens:this.lexer.inline(l),header:!1,align:a.align[p]})));return a}}lheading(e){let t=this.rules.block.lheading.exec(e);if(t){let n=t[1].trim();return{type:"heading",raw:N(t[0],`
`),depth:t[2].charAt(0)==="="?1:2,text:n,tokens:this.lexer.inline(n)}}}paragraph(e){let t=this.rules.block.paragraph.exec(e);if(t){let n=t[1].charAt(t[1].length-1)===`
`?t[1].slice(0,-1):t[1];return{type:"paragraph",raw:t[0],text:n,tokens:this.lexer.inline(n)}}}text(e){let t=this.rules.block.text.exec(e);if(t)return{type:"text",raw:t[0],text:t[0],tokens:this.lexer.inline(t[0])}}escape(e){if(e.charCodeAt(0)!==92)return;let t=this.rules.inline.escape.exec(e);if(t)return{type:"escape",raw:t[0],text:t[1]}}tag(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.tag.exec(e);if(t)return!this.lexer.state.inLink&&this.rules.other.startATag.test(t[0])?this.lexer.state.inLink=!0:this.lexer.state.inLink&&this.rules.other.endATag.test(t[0])&&(this.lexer.state.inLink=!1),!this.lexer.state.inRawBlock&&this.rules.other.startPreScriptTag.test(t[0])?this.lexer.state.inRawBlock=!0:this.lexer.state.inRawBlock&&this.rules.other.endPreScriptTag.test(t[0])&&(this.lexer.state.inRawBlock=!1),{type:"html",raw:t[0],inLink:this.lexer.state.inLink,inRawBlock:this.lexer.state.inRawBlock,block:!1,text:t[0]}}link(e){if(this.lexer.state.linkParenPossible===!1)return;let t=e.charCodeAt(0);if(t!==91&&t!==33)return;let n=this.rules.inline.link.exec(e);if(n){let i=n[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&xn(e,n[1],i,this.rules))return;let s=n[2].trim();if(!this.options.pedantic&&this.rules.other.startAngleBracket.test(s)){if(!this.rules.other.endAngleBracket.test(s))return;let p=N(s.slice(0,-1),"\\");if((s.length-p.length)%2===0)return}else{let p=ft(n[2],"()");if(p===-2)return;if(p>-1){let g=(n[0].indexOf("!")===0?5:4)+n[1].length+p;n[2]=n[2].substring(0,p),n[0]=n[0].substring(0,g).trim(),n[3]=""}}let a=N(n[0].slice(0,-1),"\\");if((n[0].length-a.length)%2===0)return;let o=n[2],l="";if(this.options.pedantic){let p=this.rules.other.pedanticHrefTitle.exec(o);p&&(o=p[1],l=p[3])}else l=n[3]?n[3].slice(1,-1):"";return o=o.trim(),this.rules.other.startAngleBracket.test(o)&&(this.options.pedantic&&!this.rules.other.endAngleBracket.test(s)?o=o.slice(1):o=o.slice(1,-1)),mn(n,{href:o&&o.replace(this.rules.inline.anyPunctuation,"$1"),title:l&&l.replace(this.rules.inline.anyPunctuation,"$1")},n[0],this.lexer,this.rules)}}reflink(e,t){let n=e.charCodeAt(0);if(n!==91&&n!==33)return;let i;if((i=this.rules.inline.reflink.exec(e))||(i=this.rules.inline.nolink.exec(e))){let s=i[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&xn(e,i[1],s,this.rules))return;let a=t[V(i[2]||i[1])];if(!a){let o=i[0].charAt(0);return{type:"text",raw:o,text:o}}return mn(i,a,i[0],this.lexer,this.rules)}}emStrong(e,t,n=""){let i=this.rules.inline.emStrongLDelim.exec(e);if(!i||!i[1]&&!i[2]&&!i[3]&&!i[4])return;let s=i[0][0],a=n===s,o=t.length-e.length,l=o;for(;!this.options.pedantic&&l>0&&t[l-1]===s;)l--;let p=[...t.slice(Math.max(0,l-2),l)].at(-1)??"",d=p==="*"||p==="_"||!!this.rules.inline.punctuation.exec(p);l<o&&(n=p);let g=l<o?d:n==="*"||n==="_"||!!this.rules.inline.punctuation.exec(n);if(i[4]&&n.match(this.rules.other.unicodeAlphaNumeric))return;let h=i[1]||i[3]||"";if(!h||!n||g){let u=[...i[0]].length-1,f,x,k=u,b=0,v=o-l+u,_=!this.options.pedantic&&!!p.trim()&&(!!h||s==="*"&&!d);if(s!=="*"&&s!=="_")return;let w=s==="*"?this.rules.inline.emStrongRDelimAst:this.rules.inline.emStrongRDelimUnd,K=Ae(this,t,s),z=t.length-e.length+u;if(K<z)return;t=t.slice(-1*e.length+u);let Y=K-z;for(w.lastIndex=0;(i=w.exec(t))!==null&&!(i.index>Y);){if(f=i[1]||i[2]||i[3]||i[4]||i[5]||i[6],!f)continue;if(x=[...f].length,i[3]||i[4]){k+=x;continue}else if((i[5]||i[6]||_)&&v%3&&!((v+x)%3)){if(a&&(i[5]||i[6]))break;b+=x;continue}if(k-=x,k>0)continue;x=Math.min(x,x+k+b);let le=[...i[0]][0].length,O=e.slice(0,u+i.index+le+x);if(Math.min(u,x)%2){let ce=O.slice(1,-1);return{type:"em",raw:O,text:ce,tokens:this.lexer.inlineTokens(ce)}}let J=O.slice(2,-2);return{type:"strong",raw:O,text:J,tokens:this.lexer.inlineTokens(J)}}}}codespan(e){if(e.charCodeAt(0)!==96)return;let t=this.rules.inline.code.exec(e);if(t){let n=t[2].replace(this.rules.other.newLineCharGlobal," "),i=this.rules.other.nonSpaceChar.test(n),s=this.rules.other.startingSpaceChar.test(n)&&this.rules.other.endingSpaceChar.test(n);return i&&s&&(n=n.substring(1,n.length-1)),{type:"codespan",raw:t[0],text:n}}}br(e){let t=e.charCodeAt(0);if(t!==32&&t!==92&&t!==10)return;let n=this.rules.inline.br.exec(e);if(n)return{type:"br",raw:n[0]}}del(e,t,n=""){if(e.charCodeAt(0)!==126)return;let i=this.rules.inline.delLDelim.exec(e);if(!i)return;if(!(i[1]||"")||!n||this.rules.inline.punctuation.exec(n)){let a=[...i[0]].length-1,o,l,p=a,d=this.rules.inline.delRDelim,g=Le(this,t),h=t.length-e.length+a;if(g<h)return;t=t.slice(-1*e.length+a);let u=g-h;for(d.lastIndex=0;(i=d.exec(t))!==null&&!(i.index>u);){if(o=i[1]||i[2]||i[3]||i[4]||i[5]||i[6],!o||(l=[...o].length,l!==a))continue;if(i[3]||i[4]){p+=l;continue}if(p-=l,p>0)continue;l=Math.min(l,l+p);let f=[...i[0]][0].length,x=e.slice(0,a+i.index+f+l),k=x.slice(a,-a);return{type:"del",raw:x,text:k,tokens:this.lexer.inlineTokens(k)}}}}autolink(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.autolink.exec(e);if(t){let n,i;return t[2]==="@"?(n=t[1],i="mailto:"+n):(n=t[1],i=n),{type:"link",raw:t[0],text:n,href:i,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}url(e){let t;if(t=this.rules.inline.url.exec(e)){let n,i;if(t[2]==="@")n=t[0],i="mailto:"+n;else{let s;do s=t[0],t[0]=this.rules.inline._backpedal.exec(t[0])?.[0]??"";while(s!==t[0]);n=t[0],t[1]==="www."?i="http://"+t[0]:i=t[0]}return{type:"link",raw:t[0],text:n,href:i,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}inlineText(e){let t=this.rules.inline.text.exec(e);if(t){let n=this.lexer.state.inRawBlock;return{type:"text",raw:t[0],text:n?t[0]:hn(t[0]),escaped:n}}}};var ae=class r{tokens;options;state;inlineQueue;tokenizer;constructor(e){this.tokens=[],this.tokens.links=Object.create(null),this.options=e||Ce,this.options.tokenizer=this.options.tokenizer||new q,this.tokenizer=this.options.tokenizer,this.tokenizer.options=this.options,this.tokenizer.lexer=this,this.inlineQueue=[],this.state={inLink:!1,inRawBlock:!1,linkEmitted:!1,linkParenPossible:!0,top:!0};let t={other:E,block:re.normal,inline:G.normal};this.options.pedantic?(t.block=re.pedantic,t.inline=G.pedantic):this.options.gfm&&(t.block=re.gfm,this.options.breaks?t.inline=G.breaks:t.inline=G.gfm),this.tokenizer.rules=t}static get rules(){return{block:re,inline:G}}static lex(e,t){return new r(t).lex(e)}static lexInline(e,t){return new r(t).inlineTokens(e)}lex(e){e=e.replace(E.carriageReturn,`
`),this.blockTokens(e,this.tokens);for(let t=0;t<this.inlineQueue.length;t++){let n=this.inlineQueue[t];this.state.inRawBlock=!1,this.inlineTokens(n.src,n.tokens)}return this.inlineQueue=[],this.tokens}blockTokens(e,t=[],n=!1){this.tokenizer.lexer=this;let i=this.state.lastToken;this.options.pedantic&&(e=e.replace(E.tabCharGlobal,"    ").replace(E.spaceLine,""));let s=1/0,a,o=this.options.gfm&&!this.options.pedantic&&this.tokenizer.paragraph===q.prototype.paragraph;for(;e;){if(e.length<s)s=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}this.state.lastToken=t.at(-1);let l;if(this.options.extensions?.block?.some(d=>(l=d.call({lexer:this},e,t))?(e=e.substring(l.raw.length),t.push(l),!0):!1))continue;if(l=this.tokenizer.space(e)){e=e.substring(l.raw.length);let d=t.at(-1);l.raw.length===1&&d!==void 0?d.raw+=`
`:t.push(l);continue}if(l=this.tokenizer.code(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.at(-1).src=d.text):t.push(l);continue}if(l=this.tokenizer.fences(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.heading(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.hr(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.blockquote(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.list(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.html(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.def(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.raw,this.inlineQueue.at(-1).src=d.text):(this.tokens.links[l.tag]||(this.tokens.links[l.tag]={href:l.href,title:l.title}),t.push(l));continue}if(l=this.tokenizer.table(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.lheading(e)){e=e.substring(l.raw.length),t.push(l);continue}let p=e;if(this.options.extensions?.startBlock){let d=1/0,g=e.slice(1),h;this.options.extensions.startBlock.forEach(u=>{h=u.call({lexer:this},g),typeof h=="number"&&h>=0&&(d=Math.min(d,h))}),d<1/0&&d>=0&&(p=e.substring(0,d+1))}if(this.state.top&&(l=this.tokenizer.paragraph(p))){let d=t.at(-1);(n||d===a&&o)&&d?.type==="paragraph"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text,a=d):(t.push(l),a=l),n=p.length!==e.length,e=e.substring(l.raw.length);continue}if(l=this.tokenizer.text(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text):t.push(l);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return this.state.top=!0,this.state.lastToken=i,t}inline(e,t=[]){return this.inlineQueue.push({src:e,tokens:t}),t}linkInText(e){if(!e.includes("["))return!1;let t=this.tokenizer.rules.inline.link;for(let n of e.matchAll(this.tokenizer.rules.inline.blockSkip))if(t.test(n[0])&&e.charAt(n.index-1)!=="!")return!0;for(let n of e.matchAll(this.tokenizer.rules.inline.reflinkSearch)){let i=n[0],s=i.lastIndexOf("[");if(!(i.charAt(0)==="!"||!Object.hasOwn(this.tokens.links,V(i.slice(s+1,-1))))&&!(s>1&&this.linkInText(i.slice(1,s-1))))return!0}return!1}inlineTokens(e,t=[]){this.tokenizer.lexer=this;let n=this.state.linkParenPossible;this.state.linkParenPossible=e.includes(")");try{return this.#t(e,t)}finally{this.state.linkParenPossible=n}}#t(e,t){let n=e.includes("*")||e.includes("_")||e.includes("~"),i=n||this.options.hooks?.emStrongMask||this.tokenizer.emStrong!==q.prototype.emStrong||this.tokenizer.del!==q.prototype.del?this.#i(e):e;if(!n)return this.#e(e,i,t);gn(this.tokenizer,i);try{return this.#e(e,i,t)}finally{fn(this.tokenizer)}}#e(e,t,n){let i=!1,s="",a=1/0;for(;e;){if(e.length<a)a=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}i||(s=""),i=!1;let o;if(this.options.extensions?.inline?.some(d=>(o=d.call({lexer:this},e,n))?(e=e.substring(o.raw.length),n.push(o),!0):!1))continue;if(o=this.tokenizer.escape(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.tag(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.link(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.reflink(e,this.tokens.links)){e=e.substring(o.raw.length);let d=n.at(-1);o.type==="text"&&d?.type==="text"?(d.raw+=o.raw,d.text+=o.text):n.push(o);continue}let l=e[0];if(l==="*"||l==="_"){let d=t.length-e.length;if(Ae(this.tokenizer,t,l)<=d){let h=1;for(;h<e.length&&e.charCodeAt(h)===l.charCodeAt(0);)h++;let u=e.substring(0,h),f=n.at(-1);f?.type==="text"&&!f.escaped?(f.raw+=u,f.text+=u):n.push({type:"text",raw:u,text:u,escaped:!1}),e=e.substring(h),s=l,i=!0;continue}}else if(l==="~"){let d=t.length-e.length;if(Le(this.tokenizer,t)<=d){let h=1;for(;h<e.length&&e.charCodeAt(h)===126;)h++;let u=e.substring(0,h),f=n.at(-1);f?.type==="text"&&!f.escaped?(f.raw+=u,f.text+=u):n.push({type:"text",raw:u,text:u,escaped:!1}),e=e.substring(h),s=l,i=!0;continue}}if(o=this.tokenizer.emStrong(e,t,s)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.codespan(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.br(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.del(e,t,s)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.autolink(e)){e=e.substring(o.raw.length),n.push(o);continue}if(!this.state.inLink&&(o=this.tokenizer.url(e))){e=e.substring(o.raw.length),n.push(o);continue}let p=e;if(this.options.extensions?.startInline){let d=1/0,g=e.slice(1),h;this.options.extensions.startInline.forEach(u=>{h=u.call({lexer:this},g),typeof h=="number"&&h>=0&&(d=Math.min(d,h))}),d<1/0&&d>=0&&(p=e.substring(0,d+1))}if(o=this.tokenizer.inlineText(p)){e=e.substring(o.raw.length),o.raw.slice(-1)!=="_"&&(s=o.raw.slice(-1)),i=!0;let d=n.at(-1);d?.type==="text"?(d.raw+=o.raw,d.text+=o.text):n.push(o);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return n}#n(e){let{blockSkip:t,tag:n,autolink:i}=this.tokenizer.rules.inline,s="",a=0,o;for(t.lastIndex=0;o=t.exec(e);){let l=o.index+(o[2]?o[2].length:0),p=o.index+o[0].length;if(e.charAt(l)==="<"){let d=e.slice(l),g=n.exec(d)||i.exec(d);if(!g){t.lastIndex=l+1;continue}p=l+g[0].length,t.lastIndex=p}s+=e.slice(a,l)+"["+"a".repeat(p-l-2)+"]",a=p}return s+e.slice(a)}#i(e){let t=e;if(this.tokens.links&&e.includes("[")){let n=this.tokenizer.rules.inline.reflinkSearch,i=s=>{let a=s.lastIndexOf("[");if(!Object.hasOwn(this.tokens.links,V(s.slice(a+1,-1))))return s;if(a>1&&s.charAt(0)!=="!"){let o=s.slice(1,a-1);if(this.linkInText(o))return"["+o.replace(n,i)+"]["+"a".repeat(s.length-a-2)+"]"}return"["+"a".repeat(s.length-2)+"]"};t=t.replace(n,i)}return t=t.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode,(n,i,s)=>s?"+".repeat(n.length):i?i+n.slice(i.length,-i.length).replace(/`/g,"+")+i:n),t=this.#n(t),t=this.options.hooks?.emStrongMask?.call({lexer:this},t)??t,t}infiniteLoopError(e){let t="Infinite loop on byte: "+e;if(this.options.silent)console.error(t);else throw new Error(t)}};var ts=/(?:^|\n)[ \t]*(?:>[ \t]*)*(?:[-+*=_>]+|#{1,6}|\d{1,9}[.)]?|`{1,2}|~{1,2})[ \t]*$/,ns=/(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*\|?[-:| \t]*)?$/,is=/\n[ \t]*(?:`{1,2}|~{1,2})$/,ss=/(?:^|\n) {0,3}<\/?(?:[a-zA-Z](?:[^<>"]|"[^"]*")*(?:"[^"]*)?)?$/,rs=/&#?\w{0,8}$/,os=/^\s*(?:(?:[-*+>]|\d+[.)])\s+)*(?:`{3,}|~{3,})/,as=/(?:^|\n)(?:[ \t]*(?=\n)|[ \t]*(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t]+)/g,ls=/^(?:\*+|_+|~~+|~$)/,xt=/[\p{L}\p{N}]/u;function bn({type:r,raw:e}){if(e.split(`
`).filter(s=>os.test(s)).length%2===1||r==="code")return e.replace(is,"");let n=e.replace(ts,"").replace(ss,"");r!=="table"&&(n=n.replace(ns,""));let i=0;for(let s of n.matchAll(as))i=s.index+s[0].length;return r==="table"&&(i=Math.max(i,n.lastIndexOf("|")+1)),n.slice(0,i)+cs(n.slice(i).replace(rs,""))}function cs(r){let e=[];for(let t=0;t<r.length;){let n=r.slice(t);if(n[0]==="\\")t+=2;else if(n[0]==="`"){let i=/^`+/.exec(n)?.[0]??"`",s=n.indexOf(i,i.length);if(s<0){let a=n.length>i.length?n+i:"";return bt(r.slice(0,t)+a,e)}t+=s+i.length}else if(/^!?\[/.test(n)){let i=/^!?\[[^\]\n]*\]\([^()\n]*\)/.exec(n),s=/^!?\[([^\]\n]*)(?:\](?:\([^()\n]*)?)?$/.exec(n);s?r=r.slice(0,t)+(s[1]??""):t+=i?.[0].length??1}else{let i=ls.exec(n)?.[0],s=i?.length===n.length,a=i?ps(i,r[t-1]??" ",n[i.length]??" ",e):0;if(i&&s&&a)return bt(r.slice(0,t+i.length-a),e);t+=i?.length??1}}return bt(r,e)}function ps(r,e,t,n){let i=r[0]??"",s=r.length,a=i==="_"&&xt.test(t);for(;s&&e.trim()&&!a&&n.at(-1)?.startsWith(i);){let o=n.at(-1)?.length??0;if(o>s)return s;n.pop(),s-=o}return!s||!t.trim()||i==="_"&&xt.test(e)?i==="_"&&xt.test(e)&&!n.length?0:s:(s%2&&n.push(i),s>1&&n.push(i.repeat(2)),0)}function bt(r,e){return r.trimEnd()+[...e].reverse().join("")}var ds=/<\/?[a-zA-Z][\w:-]*(?:\s(?:[^<>"'\n]|\n(?!\s*\n)|"[^"\n]*"|'[^'\n]*')*)?>/.source,us=new RegExp(`^(?: {0,3}${ds}(?:[^\\n]*>)?[ \\t]*(?:\\n|$))+`),hs={...Ee(),breaks:!0,extensions:{renderers:{},childTokens:{},startBlock:[r=>r.match(/^ {0,3}<[a-zA-Z/]/m)?.index],block:[r=>{let e=us.exec(r)?.[0];return e?{type:"markup",raw:e}:void 0}]}},gs={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:" ",ndash:"–",mdash:"—",hellip:"…"};function Ne(r,e=!1){let t=[],n=0;for(let s of kn(r)){let a=n+s.raw.length;Pe(s)&&t.push({start:n,end:a,shown:s.raw.trimEnd(),token:s}),n=a}let i=t.at(-1);if(e&&i&&!r.endsWith(`

`)){let s=bn(i.token),a=kn(s).find(Pe);t.pop(),a&&t.push({...i,shown:s.trimEnd(),token:a})}return t}function kn(r){return new ae({...hs}).lex(r)}function _e(r,e){let t=r;switch(t.type){case"heading":return c("h4",{},...I(t.tokens));case"list":return fs(t,e);case"table":return ms(t);case"code":return vn(t.text,e);case"blockquote":return c("blockquote",{},...t.tokens.filter(Pe).map(n=>_e(n,e)));case"hr":return c("hr");case"paragraph":case"text":return c("p",{},...I(t.tokens??[t]));default:return vn(r.raw.trim(),e)}}function Pe(r){return r.type!=="space"&&r.type!=="def"}function fs(r,e){let t=r.ordered?c("ol",{start:Number(r.start||1)}):c("ul");for(let n of r.items){let i=[];for(let s of n.tokens.filter(Pe))s.type==="checkbox"?i.push(n.checked?"☑ ":"☐ "):s.type==="text"?i.push(...I(s.tokens??[s])):i.push(_e(s,e));t.append(c("li",{},...i))}return t}function ms(r){let e=(i,{tokens:s,align:a})=>{let o=c(i,{},...I(s));return a&&(o.style.textAlign=a),o},t=c("thead",{},c("tr",{},...r.header.map(i=>e("th",i)))),n=c("tbody");for(let i of r.rows)n.append(c("tr",{},...i.map(s=>e("td",s))));return c("div",{className:"table",tabIndex:0,role:"group"},c("table",{},t,n))}function vn(r,e){let t=c("pre",{tabIndex:0,dir:"ltr"},c("code",{textContent:r}));return c("div",{className:"code"},e(r),t)}function I(r){return r.flatMap(e=>{let t=e;switch(t.type){case"strong":return[c("strong",{},...I(t.tokens))];case"em":return[c("em",{},...I(t.tokens))];case"del":return[c("del",{},...I(t.tokens))];case"codespan":return[c("code",{textContent:t.text,dir:"ltr"})];case"br":return[c("br")];case"link":return wn(t.href,I(t.tokens),t.text);case"image":return wn(t.href,[t.text||t.href],t.text);case"escape":return[t.text];case"text":return t.tokens?I(t.tokens):[xs(t.text)];default:return[e.raw]}})}function wn(r,e,t){let n=L(r);if(!n)return e;let i=new URL(n).host,s=U(n,...e);return i&&!t.includes(i)?[s,c("span",{className:"host",textContent:` (${i})`,dir:"ltr"})]:[s]}function xs(r){return r.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g,(e,t,n,i)=>{if(i)return gs[i]??e;let s=t?Number(t):Number.parseInt(n,16);return s>0&&s<=1114111?String.fromCodePoint(s):e})}function Ie(r,e){let t=new M(r),n=Ne(r.text).map(({start:s,end:a})=>{let o=t.indexesIn(s,a).map(p=>`[${t.numbers.get(p)}]`),l=r.text.slice(s,a).trimEnd();return o.length?`${l} ${o.join("")}`:l}),i=[...t.numbers].map(([s,a])=>{let{title:o,document:l,uri:p}=t.cited(s).source;return[`[${a}] ${o||l}`,L(p)].filter(Boolean).join(" ")});return[...n,...i.length?[`${e}:
${i.join(`
`)}`]:[]].join(`

`)}async function yn(r){try{return await navigator.clipboard.writeText(r),!0}catch{return bs(r)}}function bs(r){let e=document.activeElement,t=document.createElement("textarea");t.value=r,document.body.append(t),t.select();let n=document.execCommand("copy");t.remove();let i=e?.shadowRoot?.activeElement??e;return i instanceof HTMLElement&&i.focus(),n}var ks=2500;function Tn(r,e,t){let n=c("span",{textContent:e}),i=c("button",{type:"button",className:"copy"},n);return Sn(i,r,t,s=>n.textContent=s??e),i}function kt(r,e,t,n){let i=c("span"),s=c("button",{type:"button",className:"icon",title:t,"aria-label":t});return s.append(C(e),i),Sn(s,r,n,a=>i.textContent=a??""),s}function Sn(r,e,t,n){let i;r.onclick=async()=>{let s=await yn(t())?e.copied:e.notCopied;n(s),y(r,s),clearTimeout(i),i=setTimeout(()=>n(void 0),ks)}}var vs="M2 21h4V9H2zm20-11a2 2 0 0 0-2-2h-6.3l1-4.6v-.3c0-.4-.2-.8-.5-1.1L13.2 1 6.6 7.6A2 2 0 0 0 6 9v10a2 2 0 0 0 2 2h9a2 2 0 0 0 1.8-1.2l3-7c.1-.2.2-.5.2-.8z",ws="M22 3h-4v12h4zM2 14a2 2 0 0 0 2 2h6.3l-1 4.6v.3c0 .4.2.8.5 1.1l1 1 6.6-6.6A2 2 0 0 0 18 15V5a2 2 0 0 0-2-2H7a2 2 0 0 0-1.8 1.2l-3 7c-.1.2-.2.5-.2.8z",ys=2e3,Oe=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;let i=Z(vs,t.helpful),s=Z(ws,t.notHelpful);i.onclick=()=>this.judge(!0),s.onclick=()=>this.judge(!1),this.thumbs=[i,s],this.show()}turn;texts;actions;node=c("div",{className:"feedback"});thumbs;said=c("p");judge(e){this.turn.rating?.isHelpful===e&&this.turn.rating.state!=="failed"||(this.turn.rating={isHelpful:e,reasons:[],comment:"",state:e?"sent":"asked"},this.show(),e||this.node.querySelector("button")?.focus(),this.send())}async send(){let{rating:e}=this.turn;!e||await this.actions.rate(this.turn,e)||e!==this.turn.rating||(e.state="failed",this.show())}show(){let{rating:e}=this.turn;this.thumbs.forEach((n,i)=>n.setAttribute("aria-pressed",String(e?.isHelpful===(i===0))));let t={sent:this.texts.thanks,failed:this.texts.notSent,asked:""};this.said.textContent=e?t[e.state]:"",this.node.replaceChildren(...e?.state==="asked"?[this.form()]:[],this.said),this.said.textContent&&y(this.node,this.said.textContent)}form(){let{texts:e}=this,t=c("div",{className:"chips"},...Ts(e).map(a=>this.chip(...a))),n=c("textarea",{rows:2,maxLength:ys,placeholder:e.comment,"aria-label":e.comment,dir:"auto",value:this.turn.rating?.comment??""});n.oninput=()=>{this.turn.rating&&(this.turn.rating.comment=n.value)};let i=c("button",{type:"button",textContent:e.sendFeedback});i.onclick=()=>this.complete();let s=c("div",{role:"group","aria-label":e.whatIsWrong});return s.append(c("p",{textContent:e.whatIsWrong}),t,n,i),s}complete(){let{rating:e}=this.turn;e&&(e.state="sent",this.show(),this.thumbs[1].focus(),(e.reasons.length||e.comment.trim())&&this.send())}chip(e,t){let n=()=>this.turn.rating?.reasons.includes(e)??!1,i=c("button",{type:"button",textContent:t,"aria-pressed":String(n())});return i.onclick=()=>{let{rating:s}=this.turn;s&&(s.reasons=n()?s.reasons.filter(a=>a!==e):[...s.reasons,e],i.setAttribute("aria-pressed",String(n())))},i}};function Ts(r){return[["INACCURATE_RESPONSE",r.reasonInaccurate],["NOT_RELEVANT",r.reasonNotRelevant],["INCOMPREHENSIVE",r.reasonIncomplete],["BAD_CITATION",r.reasonBadSource],["FORMAT_AND_STYLES",r.reasonFormat],["OFFENSIVE_OR_UNSAFE",r.reasonHarmful]]}var Ss="M16 1H4a2 2 0 0 0-2 2v14h2V3h12zm3 4H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm0 16H8V7h11z",Es="M3.9 12A3.1 3.1 0 0 1 7 8.9h4V7H7a5 5 0 0 0 0 10h4v-1.9H7A3.1 3.1 0 0 1 3.9 12zM8 13h8v-2H8zm9-6h-4v1.9h4a3.1 3.1 0 0 1 0 6.2h-4V17h4a5 5 0 0 0 0-10z",Cs="M17.7 6.3A8 8 0 1 0 19.7 14h-2.1A6 6 0 1 1 12 6c1.7 0 3.1.7 4.2 1.8L13 11h7V4z",Me=class{node;constructor(e,t,n){let i=Z(Cs,t.askAgain);i.onclick=()=>n.ask(e.query);let s=c("div",{className:"buttons"}),{answer:a}=e;if(a.text&&!a.skippedReasons.length&&s.append(kt(t,Ss,t.copyAnswer,()=>Ie(e.answer,t.sources))),s.append(kt(t,Es,t.copyLink,()=>Tt(e.query)),i),this.node=c("div",{className:"tools"},s),a.state!=="SUCCEEDED"||!a.name)return;let o=new Oe(e,t,n);s.append(...o.thumbs),this.node.append(o.node)}};function Z(r,e){let t=c("button",{type:"button",className:"icon",title:e,"aria-label":e});return t.append(C(r)),t}var Rs="M12 14a3 3 0 0 0 3-3V5a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zm5-3a5 5 0 0 1-10 0H5a7 7 0 0 0 6 6.9V21h2v-3.1A7 7 0 0 0 19 11z";function En(r,e,t){let{SpeechRecognition:n,webkitSpeechRecognition:i}=window,s=n??i;if(!s||!isSecureContext||!As())return[];let a=Z(Rs,r.dictate),o,l=p=>{o=p,a.setAttribute("aria-pressed",String(!!p))};return l(void 0),a.onclick=()=>{if(o)return o.stop();let p=e.value&&`${e.value.trimEnd()} `,d=new s;d.lang=a.closest("[lang]")?.lang??"",d.interimResults=!0,d.onresult=({results:g})=>{let h=Array.from(g,([u])=>u?.transcript??"");e.value=(p+h.join("").trimStart()).slice(0,e.maxLength),t()},d.onerror=({error:g})=>{g!=="aborted"&&y(a,e.placeholder=r.notHeard)},d.onend=()=>{l(void 0),e.focus()},l(d),d.start()},[a]}function As(){let{featurePolicy:r}=document;return r?.allowsFeature("microphone")??!0}var Ls=1e4,Ps=6,$e=class{node;field;stop;constructor(e,t){this.field=c("textarea",{rows:1,maxLength:Ls,placeholder:e.placeholder,"aria-label":e.question,dir:"auto"}),this.stop=c("button",{type:"button",textContent:e.stop,hidden:!0});let n=c("button",{type:"submit",textContent:e.ask}),i=En(e,this.field,()=>this.fit());this.node=c("form",{},this.field,...i,this.stop,n),this.stop.onclick=()=>t.stop(),this.field.oninput=()=>this.fit(),this.field.onkeydown=s=>{s.key!=="Enter"||s.shiftKey||s.isComposing||(s.preventDefault(),this.node.requestSubmit())},this.node.onsubmit=s=>{s.preventDefault();let a=this.field.value.trim();a&&(this.field.value="",this.fit(),t.ask(a))}}get draft(){return this.field.value}set draft(e){this.field.value=e,this.fit()}focus(){this.field.focus()}answering(e){this.stop.hidden=!e}fit(){this.field.rows=Math.min(this.field.value.split(`
`).length,Ps)}};var Ns=[4401,4408],_s=4403,De=class{constructor(e,t){this.texts=e;this.again=c("button",{type:"button",textContent:e.tryAgain,hidden:!0}),this.again.onclick=t,this.node.append(this.words,this.again)}texts;node=c("div",{className:"connection"});words=c("span");again;get message(){return this.words.textContent??""}show(e,t=0){this.node.dataset.state=e;let n=this.message;this.words.textContent=e==="refused"?this.refusal(t):this.texts[e],this.again.hidden=e!=="refused",this.node.hidden=!1,this.message!==n&&y(this.node,this.message),this.node.hidden=!this.message}refusal(e){let{texts:t}=this;return Ns.includes(e)?t.refusedSignIn:e===_s?T(t.refusedOrigin,{origin:location.origin}):T(t.refused,{code:e})}};var Is=80,qe=class{constructor(e,t,n){this.scroll=e;this.button=c("button",{type:"button",className:"below",hidden:!0,textContent:n.newBelow}),this.button.onclick=()=>this.toEnd(),e.addEventListener("scroll",()=>this.scrolled(),{passive:!0}),new ResizeObserver(()=>this.isFollowing&&this.toEnd()).observe(t)}scroll;button;isFollowing=!0;top=0;grown(){this.isFollowing||(this.button.hidden=!1)}toEnd(){this.isFollowing=!0,this.button.hidden=!0,this.scroll.scrollTop=this.scroll.scrollHeight}keep(e,t){let n=e.getBoundingClientRect().top;t(),this.isFollowing?this.toEnd():this.scroll.scrollTop+=e.getBoundingClientRect().top-n}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:n}=this.scroll;e-t-n<Is?(this.isFollowing=!0,this.button.hidden=!0):t<this.top&&(this.isFollowing=!1),this.top=t}};function Rn(r,e){let t,n=()=>t?.getClientRects().length;r.addEventListener("focusin",({target:i})=>{t=i instanceof HTMLElement?i:void 0}),r.addEventListener("focusout",()=>queueMicrotask(()=>n()&&!Cn(r)&&(t=void 0))),new MutationObserver(()=>{!t||n()||!r.getClientRects().length||(t=void 0,Cn(r)||e())}).observe(r,{subtree:!0,childList:!0,attributes:!0,attributeFilter:["hidden"]})}function Cn(r){let{activeElement:e}=r.getRootNode();return r.contains(e)&&!!e?.getClientRects().length}function ze({displayName:r,turns:e},t){return r||e?.[0]?.query?.text||t.newSession}function An(r,e,t,n){let i=ze(r,t),s=c("button",{type:"button",className:"title",textContent:i,dir:"auto"});e&&s.setAttribute("aria-current","true"),s.onclick=n.open;let a=r.endTime??r.startTime,o=c("span",{className:"host",textContent:a?new Date(a).toLocaleDateString():""}),l=(u,f)=>{let x=c("button",{type:"button",className:"icon",textContent:u});return x.setAttribute("aria-label",`${u}: ${i}`),x.onclick=f,x},p=l(r.isPinned?t.unpin:t.pin,n.pin),d=l(t.rename,()=>Os(s,i,t,n)),g=l(t.delete,()=>{if(g.textContent===t.deleteReally)return n.remove();g.textContent=t.deleteReally,g.setAttribute("aria-label",`${t.deleteReally}: ${i}`)}),h=c("div",{className:"buttons"},p,d,l(t.export,n.export),g);return c("li",{"data-pinned":r.isPinned||void 0},s,o,h)}function Os(r,e,t,{rename:n}){let i=c("input",{type:"text",value:e,maxLength:200,"aria-label":t.rename,dir:"auto"}),s=()=>{i.onblur=null,i.replaceWith(r),r.focus()},a=()=>{let o=i.value.trim();s(),o&&o!==e&&n(o)};i.onblur=a,i.onkeydown=o=>{o.isComposing||!["Enter","Escape"].includes(o.key)||(o.preventDefault(),o.stopPropagation(),o.key==="Enter"?a():s())},r.replaceWith(i),i.select()}var Ms=10,Be=class{constructor(e,t,n){this.chat=e;this.texts=t;this.conversation=n;let i=c("h3",{textContent:t.sessions}),s=c("button",{type:"button",textContent:t.close});s.onclick=()=>this.close(),this.search=c("input",{type:"search","aria-label":t.sessions,dir:"auto"}),this.search.oninput=()=>{this.look()},this.more=c("button",{type:"button",textContent:t.more,hidden:!0}),this.more.onclick=()=>{this.readMore()};let a=c("div",{className:"source-head"},i,s),o=c("div",{className:"source-body"},this.search,this.status,this.rows,this.more);this.node=c("aside",{className:"source",hidden:!0,"aria-label":t.sessions},a,o),this.node.onkeydown=l=>{l.key!=="Escape"||l.defaultPrevented||(l.preventDefault(),this.close())},e.append(this.node)}chat;texts;conversation;node;search;rows=c("ul",{className:"sessions"});status=c("p");more;list;sessions=[];next="";before;open(e){this.list=this.conversation.sessions,this.before=e,this.sessions=[],this.next=this.search.value="",this.rows.replaceChildren(),this.cover(!0),this.search.focus(),this.readMore()}close(){this.cover(!1),this.before?.focus()}cover(e){this.node.hidden=!e,this.chat.toggleAttribute("data-source",e);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}async readMore(){let{list:e}=this,t=await e?.read(this.next);e===this.list&&(this.sessions.push(...t?.sessions??[]),this.next=t?.next??"",this.show(t?"":this.texts.notSent))}async look(){this.show("");for(let e=Ms;e&&this.next&&this.search.value;e-=1)await this.readMore()}show(e){let t=this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean),n=this.sessions.filter(s=>{let o=[ze(s,this.texts),...(s.turns??[]).map(({query:l})=>l?.text)].join(`
`).toLocaleLowerCase();return t.every(l=>o.includes(l))});n.sort((s,a)=>Number(a.isPinned??!1)-Number(s.isPinned??!1)),this.rows.replaceChildren(...n.map(s=>this.row(s))),this.more.hidden=!this.next;let i=e||(n.length?"":this.texts.noSessions);i&&i!==this.status.textContent&&y(this.status,i),this.status.textContent=i}row(e){let{conversation:t,texts:n}=this,i=e.name??"";return An(e,i===t.sessionName,n,{open:()=>{t.openSession(i),this.close()},rename:s=>{this.change(e,{displayName:s})},pin:()=>{this.change(e,{isPinned:!e.isPinned})},export:()=>{this.export(e)},remove:()=>{this.remove(e)}})}async change(e,t){let n=await this.list?.change(e.name??"",t);n&&Object.assign(e,t),this.show(n?"":this.texts.notSent)}async remove(e){let t=await this.list?.remove(e.name??"");t&&(this.sessions=this.sessions.filter(n=>n!==e),e.name===this.conversation.sessionName&&this.conversation.startNew()),this.show(t?"":this.texts.notSent),this.search.focus()}async export(e){let t=await this.list?.turns(e.name??"");if(this.show(t?"":this.texts.notSent),!t)return;let n=ze(e,this.texts),i=t.map(({query:o,answer:l})=>`## ${o}

${Ie(l,this.texts.sources)}`),s=new Blob([[`# ${n}`,...i].join(`

`),`
`],{type:"text/markdown"}),a=URL.createObjectURL(s);c("a",{href:a,download:`${n.slice(0,60).replace(/[^\p{L}\p{N} -]/gu,"_")}.md`}).click(),setTimeout(()=>URL.revokeObjectURL(a))}};var $s=120,Ds=200,qs=200,He=class{constructor(e){this.texts=e;this.node.onmouseenter=()=>clearTimeout(this.timer),this.node.onmouseleave=()=>this.hideSoon()}texts;node=c("div",{className:"popover",id:"source",role:"tooltip",hidden:!0});timer;get isOpen(){return!this.node.hidden}show(e,t){clearTimeout(this.timer);let{texts:n}=this,{title:i}=t.source;this.node.replaceChildren(c("b",{textContent:zs(i||n.untitled,t.evidence.passage.page,n),dir:"auto"}),c("p",{className:"passage",dir:"auto"},...ve(t.evidence,$s,Ds)));let s=we(t.support,n);s&&this.node.append(c("p",{className:"support",textContent:s})),this.node.hidden=!1,this.node.scrollTop=0,this.placeBeside(e)}hide(){clearTimeout(this.timer),this.node.hidden=!0}hideSoon(){clearTimeout(this.timer),this.timer=setTimeout(()=>this.hide(),qs)}placeBeside(e){let{style:t}=this.node;t.left=t.top="0px";let n=e.getBoundingClientRect(),i=this.node.getBoundingClientRect(),s=Math.min(Math.max(n.left-20,12),innerWidth-i.width-12),a=n.top-i.height-6;t.left=`${s}px`,t.top=`${a>8?a:n.bottom+4}px`}};function zs(r,e,t){return e?`${r}, ${T(t.page,{page:e})}`:r}var Fe=class{constructor(e,t,n,i){this.texts=t;this.tell=n;this.documents=i;this.popover=new He(t),this.panel=new ye(t,e,(s,a)=>this.pageLink(s,a),()=>this.popover.hide()),this.previewId=this.popover.node.id,e.append(this.panel.node,this.popover.node),e.addEventListener("keydown",s=>{s.key!=="Escape"||!(this.popover.isOpen||this.panel.isOpen)||(s.preventDefault(),this.popover.isOpen?this.popover.hide():this.panel.close())})}texts;tell;documents;previewId;popover;panel;preview(e,t){this.popover.show(e,t)}endPreview(){this.popover.hideSoon()}open(e,t){this.popover.hide(),this.panel.open(e,t);let{title:n,document:i,uri:s}=t.source;this.tell("citation-open",{title:n,document:i,uri:s})}close(){this.popover.hide(),this.panel.close()}pageLink({uri:e,document:t},n){let{texts:i}=this,s=Mt(e,n)||L(e);if(s)return c("p",{},U(s,i.openPage));if(!$t(t))return;let a=c("button",{type:"button",textContent:i.openPage}),o=c("span");return a.onclick=async()=>{o.textContent="",!await this.documents.openDocument(t,n)&&(o.textContent=i.notOpened,y(a,i.notOpened))},c("p",{},a," ",o)}};var Ue=class{constructor(e,t){this.texts=e;this.sources=t}texts;sources;node=c("div",{className:"text",part:"text",dir:"auto"});blocks=[];proof;get words(){let e=this.node.cloneNode(!0);for(let t of e.querySelectorAll(".cites, button"))t.remove();for(let t of e.querySelectorAll("p, li, h4, pre, th, td"))t.append(" ");return e.textContent??""}show(e,t,n=[]){this.proof=t,n.length===1&&(this.node.lang=n[0]??"");let i=e.skippedReasons.length>0,s=e.before.length>e.text.length;this.node.classList.toggle("before",s);let a=s?e.before:e.text,l=(i?[]:Ne(a,!A(e.state))).map((p,d)=>{let g=s?[]:t.indexesIn(p.start,p.end),h=JSON.stringify(g.map(f=>[f,t.numbers.get(f)])),u=this.blocks[d];return u&&u.shown===p.shown&&u.marks===h?u:{shown:p.shown,marks:h,node:this.blockWith(p,g,t)}});l.forEach(({node:p},d)=>{let g=this.blocks[d]?.node;g!==p&&(g?g.replaceWith(p):this.node.append(p))});for(let{node:p}of this.blocks.slice(l.length))p.remove();this.blocks=l}blockWith(e,t,n){let{texts:i}=this,s=_e(e.token,o=>Tn(i,i.copy,()=>o));if(!t.length)return s;let a=c("span",{className:"cites"});for(let o of t){let l=p=>p.cited(o,e.start,e.end);a.append(this.mark(l(n),()=>l(this.proof??n)))}return Ln(s).append(a),s}mark(e,t){let{texts:n,sources:i}=this,{number:s,source:a}=e,o=c("button",{type:"button",className:"cite",textContent:String(s),"aria-label":T(n.source,{number:s,title:a.title||n.untitled}),"aria-describedby":i.previewId});return o.onmouseenter=o.onfocus=()=>i.preview(o,t()),o.onmouseleave=o.onblur=()=>i.endPreview(),o.onclick=()=>i.open(o,t()),o}};function Ln(r){let e=r.lastElementChild;return(r.tagName==="OL"||r.tagName==="UL"||r.tagName==="LI")&&e instanceof HTMLElement&&["LI","OL","UL","P"].includes(e.tagName)?Ln(e):r}function Pn(r,e,t){if(!r)return[];let n=c("span",{textContent:r.text||e.contact,dir:"auto"}),i=L(r.uri??"");if(!i)return[n];let s=U(i,e.contactLink);return s.className="contact",s.onclick=()=>t(i),[n,s]}function Nn(r,e,t,n=e.place){if(t!=="nothing")return t==="answer"?e.waiting:e.queued;switch(r.state){case"QUEUED":case"SENT":return e.sending;case"IN_PROGRESS":case"STREAMING":return Bs(r,e,n);case"SUCCEEDED":return r.skippedReasons.length?Hs(r.skippedReasons,e,n):r.references.length?e.answered:"";case"FAILED":return Ct(r.error)==="CANCELLED"?e.stopped:r.error?.status==="RESOURCE_EXHAUSTED"?e.failedBusy:e.failed}}function Bs(r,e,t){if(r.resets)return e.rewriting;if(r.text)return e.writing;let{references:n}=r;return n.length?T(e.reading,{count:n.length}):T(e.searching,{place:t})}function Hs(r,e,t){let n={place:t};switch(r[0]){case"NON_ANSWER_SEEKING_QUERY_IGNORED":case"NON_ANSWER_SEEKING_QUERY_IGNORED_V2":return T(e.refusedSmallTalk,n);case"ADVERSARIAL_QUERY_IGNORED":return e.refusedHarmful;case"JAIL_BREAKING_QUERY_IGNORED":return T(e.refusedJailbreak,n);case"POTENTIAL_POLICY_VIOLATION":case"CUSTOMER_POLICY_VIOLATION":case"USER_DEFINED_CLASSIFICATION_QUERY_IGNORED":return e.refusedPolicy;default:return T(e.noAnswer,n)}}function _n(r){let[e]=r.skippedReasons;return["OUT_OF_DOMAIN_QUERY_IGNORED","NO_RELEVANT_CONTENT","LOW_GROUNDED_ANSWER","UNHELPFUL_ANSWER"].includes(e??"")}var Fs=3,Us=3,Ws="M3 17.3V21h3.7L17.8 9.9l-3.7-3.7zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.8 1.8 3.7 3.7z",We=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;this.text=new Ue(t,n.sources),this.article=c("article",{"aria-label":t.answer},this.state,this.text.node,this.rest),this.node=c("li",{},this.question(),this.article),this.paint()}turn;texts;actions;node;article;state=c("div",{className:"state"});text;rest=c("div");tools;frame;made="";hasEnded=!1;changed(){this.frame??=requestAnimationFrame(()=>{this.frame=void 0,this.paint()})}question(){let{texts:e,turn:t,actions:n}=this,i=c("h3",{className:"query",textContent:t.query,dir:"auto"}),s=c("button",{type:"button",className:"icon",title:e.editQuestion,"aria-label":e.editQuestion});return s.append(C(Ws)),s.onclick=()=>n.edit(t.query),c("div",{className:"asked"},s,i)}paint(){let{answer:e}=this.turn,t=new M(e);this.article.setAttribute("aria-busy",String(F(e.state))),this.article.dataset.state=e.state,this.article.toggleAttribute("data-refused",e.skippedReasons.length>0);let n=this.actions.waitsFor(this.turn),{config:i}=this.actions,s=this.state.textContent,a=Nn(e,this.texts,n,i.displayName);this.state.textContent=a,this.text.show(e,t,i.languageCodes),!this.hasEnded&&a!==s&&this.speak(a);let{state:o,relatedQuestions:l,skippedReasons:p,references:d,resets:g}=e,{contact:h}=i,u=JSON.stringify([o,[...t.numbers],l,p,d.length,g,h,n]);u!==this.made&&(this.made=u,this.rest.replaceChildren(...p.length?this.help(e):this.sources(t),...n==="nothing"?[]:[this.takeBack()],...this.toolsOf(e),...this.related(e)))}speak(e){this.hasEnded=A(this.turn.answer.state),y(this.node,this.hasEnded?`${e} ${this.text.words}`:e)}takeBack(){let e=c("button",{type:"button",textContent:this.texts.takeBack});return e.onclick=()=>this.actions.takeBack(this.turn),c("div",{className:"help"},e)}toolsOf({state:e}){return A(e)?(this.tools??=new Me(this.turn,this.texts,this.actions),[this.tools.node]):[]}sources(e){let t=c("ol",{className:"sources","aria-label":this.texts.sources});for(let n of e.numbers.keys()){let{title:i}=e.cited(n).source,s=c("button",{type:"button",textContent:i||this.texts.untitled,dir:"auto"});s.onclick=()=>this.actions.sources.open(s,new M(this.turn.answer).cited(n)),t.append(c("li",{},s))}return t.childElementCount?[t]:[]}help(e){let{texts:t,actions:n,turn:i}=this,s=[];if(_n(e)){let l=c("ul",{className:"sources nearest","aria-label":t.nearest});e.references.slice(0,Fs).forEach((p,d)=>{let g=st(p,d),h=Se([],g.passages),u={number:d+1,source:g,evidence:h,support:void 0},f=c("button",{type:"button",textContent:g.title||t.untitled,dir:"auto"});f.onclick=()=>n.sources.open(f,u),l.append(c("li",{},f))}),l.childElementCount&&s.push(c("p",{textContent:t.nearest}),l)}let a=c("button",{type:"button",textContent:t.editQuestion});a.onclick=()=>n.edit(i.query);let o=Pn(n.config.contact,t,l=>n.handover(i.query,l));return[...s,c("div",{className:"help"},a,...o)]}related({relatedQuestions:e}){let t=e.slice(0,Us);return vt(t,this.texts.related,n=>this.actions.ask(n))}};function vt(r,e,t){if(!r.length)return[];let n=c("div",{className:"related",role:"group","aria-label":e});for(let i of r){let s=c("button",{type:"button",textContent:i,dir:"auto"});s.onclick=()=>t(i),n.append(s)}return[n]}function In(r,{starterQuestions:e=[]},t){let n=c("div",{className:"welcome"},c("p",{textContent:r.welcome}));return n.append(...vt(e,r.starters,t)),n}var js="M4 5h16v2H4zm0 6h16v2H4zm0 6h16v2H4z",je=class{constructor(e,t,n,i=!1){this.conversation=e;this.texts=t;this.tell=n;this.isWholePage=i;this.composer=new $e(t,{ask:p=>this.ask(p),stop:()=>this.conversation.stop()}),this.turns=c("ol",{className:"turns","aria-label":t.answers}),this.welcome=this.welcoming(),this.connection=new De(t,()=>e.retry()),this.earlier=c("button",{type:"button",className:"earlier",textContent:t.earlier,hidden:!0}),this.earlier.onclick=()=>{e.readEarlier()};let s=c("div",{className:"scroll"},this.welcome,this.earlier,this.turns);i&&s.prepend(c("h2",{className:"unseen",textContent:t.answers})),this.following=new qe(s,this.turns,t),new IntersectionObserver(([p])=>p?.isIntersecting&&this.earlier.click(),{root:s}).observe(this.earlier);let{sessions:o}=t;this.list=c("button",{type:"button",className:"icon",title:o,"aria-label":o}),this.list.append(C(js)),this.list.onclick=()=>{this.sources.close(),this.sessions.open(this.list)};let l=i?"main":"section";this.node=c(l,{className:"panel",part:"panel","aria-label":t.title}),Rn(this.node,()=>this.composer.focus()),this.node.append(this.head(),this.connection.node,s,this.following.button,this.composer.node),this.sessions=new Be(this.node,t,e),this.sources=new Fe(this.node,t,n,e),e.listen(this);for(let p of e.turns.values())this.turnAdded(p);this.showEarlier(),this.showConnection()}conversation;texts;tell;isWholePage;node;composer;connection;turns;welcome;following;earlier;sources;sessions;list;views=new Map;ask(e){let t=this.conversation.ask(e);return this.tell("question",{query:e}),this.following.toEnd(),t}connectionChanged(){this.showConnection();for(let{id:i}of this.conversation.turns.waiting)this.views.get(i)?.changed();let{connectionState:e,closeCode:t}=this.conversation,{message:n}=this.connection;e==="ready"&&this.tell("ready",{}),e==="refused"&&this.tell("error",{code:t??0,message:n})}configured(){let e=this.welcoming();e.hidden=this.welcome.hidden,this.welcome.replaceWith(e),this.welcome=e;for(let t of this.views.values())t.changed()}turnAdded(e){this.turns.append(this.viewOf(e).node),this.welcome.hidden=!0,this.refresh(),this.following.grown()}earlierAdded(e){let t=this.turns.firstElementChild,n=()=>{this.turns.prepend(...e.map(i=>this.viewOf(i).node)),this.showEarlier()};t instanceof HTMLElement?this.following.keep(t,n):n(),this.welcome.hidden||=e.length>0,this.refresh()}turnChanged(e){this.views.get(e.id)?.changed(),this.following.grown(),this.refresh(),this.tellEnd(e)}turnRemoved(e){this.views.get(e.id)?.node.remove(),this.views.delete(e.id),this.refresh()}emptied(){this.sources.close(),this.views.clear(),this.turns.replaceChildren(),this.welcome.hidden=!1,this.showEarlier(),this.refresh(),this.composer.focus()}tellEnd({query:e,answer:t}){let{name:n,text:i,state:s,skippedReasons:a}=t;if(!(s!=="SUCCEEDED"&&s!=="FAILED")){for(let{id:o}of this.conversation.turns.running)this.views.get(o)?.changed();this.tell("answer",{query:e,name:n,text:i,state:s,refused:a.length>0})}}get draft(){return this.composer.draft}set draft(e){this.composer.draft=e}turnActions(){let{conversation:e,sources:t,composer:n,tell:i}=this;return{sources:t,get config(){return e.config},ask:s=>this.ask(s),waitsFor:s=>e.waitsFor(s),takeBack:s=>{e.takeBack(s),n.draft||=s.query,n.focus()},edit:s=>{n.draft=s,n.focus()},rate:(s,a)=>{let{isHelpful:o,reasons:l,comment:p}=a;return i("feedback",{answer:s.answer.name,helpful:o,reasons:l,comment:p}),e.rate(s,a)},handover:(s,a)=>i("handover",{query:s,contact:a})}}welcoming(){return In(this.texts,this.conversation.config,e=>this.ask(e))}head(){let e=c("button",{type:"button",textContent:this.texts.newSession});e.onclick=()=>this.conversation.startNew();let t=c(this.isWholePage?"h1":"h2",{textContent:this.texts.title});return c("header",{},t,this.list,e)}showConnection(){let{connectionState:e,closeCode:t}=this.conversation;this.connection.show(e,t),this.list.hidden=!this.conversation.sessions}showEarlier(){this.earlier.hidden=!this.conversation.hasEarlier}viewOf(e){let t=new We(e,this.texts,this.turnActions());return this.views.set(e.id,t),t}refresh(){this.composer.answering(this.conversation.isAnswering)}};var Gs=100,Qs="projects/colloquy/locations/global/collections/default_collection/dataStores/guide/servingConfigs/default_config",Ge=class extends HTMLElement{static observedAttributes=["endpoint","serving-config","form","heading","placeholder","lang"];conversation;panel;launcher;context={};ownTexts={};spoken=Rt();constructor(){super(),this.attachShadow({mode:"open"}).adoptedStyleSheets=[nt,Ve];let e=Object.getOwnPropertyDescriptor(this,"texts");e&&(Reflect.deleteProperty(this,"texts"),this.texts=e.value)}connectedCallback(){this.panel||this.build(),addEventListener("hashchange",this.takeLinked);for(let e of["resize","scroll"])visualViewport?.addEventListener(e,this.fit);this.takeLinked()}disconnectedCallback(){removeEventListener("hashchange",this.takeLinked);for(let e of["resize","scroll"])visualViewport?.removeEventListener(e,this.fit);setTimeout(()=>{this.isConnected||this.end()})}attributeChangedCallback(e,t,n){!this.panel||t===n||((e==="endpoint"||e==="serving-config")&&this.end(),this.isConnected&&this.build())}get texts(){return this.ownTexts}set texts(e){this.ownTexts={...e},this.panel&&this.isConnected&&this.build()}open(){this.launcher?.open()}close(){this.launcher?.close()}ask(e){let t=e.trim();t&&(this.open(),this.panel?.ask(t))}setContext(e){this.context={...e},this.conversation&&(this.conversation.context=this.context)}takeLinked=()=>{let e=St();!e||!this.panel||(this.panel.draft=e,this.open())};fit=()=>{let{node:e}=this.launcher??this.panel??{};if(!e||!visualViewport)return;let{scale:t,height:n,offsetTop:i}=visualViewport,s=t===1&&innerHeight-n>Gs;e.style.setProperty("--_visible",s?`${n}px`:""),e.style.setProperty("--_top",s?`${i}px`:"")};newSession(){this.conversation?.startNew()}build(){this.conversation??=new ke(this.place(),()=>this.tokenProvider),this.conversation.context=this.context,this.conversation.speak(this.languagesAsked()[0]??"en");let{code:e,direction:t,texts:n}=this.language(),{draft:i=""}=this.panel??{},s=this.launcher?.isOpen,a=this.getAttribute("form"),o=(p,d)=>this.tell(p,d);this.panel=new je(this.conversation,n,o,a==="page"),this.panel.draft=i,this.launcher=a==="launcher"?new Te(n,this.panel.node):void 0;let{node:l}=this.launcher??this.panel;for(let p of[l,this.spoken])p.lang=e,p.dir=t;this.spoken.isConnected||this.shadowRoot?.append(this.spoken),this.spoken.previousElementSibling?.remove(),this.spoken.before(l),s&&this.launcher?.open()}place(){let e=new URL(this.getAttribute("endpoint")??"/v1/ws",import.meta.url);return e.protocol=e.protocol.replace(/^http/,"ws"),{socket:e.href,servingConfig:this.getAttribute("serving-config")??Qs}}language(){let e=Yt(this.languagesAsked()),{texts:t}=e,n=this.getAttribute("heading")??t.title,i=this.getAttribute("placeholder")??t.placeholder;return{...e,texts:{...t,title:n,placeholder:i,...this.ownTexts}}}languagesAsked(){return[this.lang,document.documentElement.lang,...navigator.languages].filter(Boolean)}end(){this.conversation?.close(),this.conversation=this.panel=this.launcher=void 0,this.shadowRoot?.replaceChildren()}tell(e,t){e==="answer"&&this.launcher?.markUnread();let n=new CustomEvent(e,{detail:t});this.dispatchEvent(n)}};customElements.get("colloquy-chat")||customElements.define("colloquy-chat",Ge);for(let r of document.querySelectorAll('script[type="module"][data-form]')){if(r.src!==import.meta.url)continue;let e=document.createElement("colloquy-chat");for(let{name:t,value:n}of r.attributes)t.startsWith("data-")&&e.setAttribute(t.slice(5),n);document.body.append(e)}export{Ge as ColloquyChat};
/*! marked: (c) 2018-2026 MarkedJS, (c) 2011-2018 Christopher Jeffrey. MIT License */
